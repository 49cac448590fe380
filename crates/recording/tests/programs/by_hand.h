#define _GNU_SOURCE
/* What faultline-cc would put into a program, written by hand: for tests of the runtime and the recorder that do not
 * need the compiler. */

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Made by the tests from abi: the offset of each field, SLOT_CURSOR and so on. */
#include "slot_layout.h"

struct slot;

#define FIELD(type, slot, offset) (*(volatile type *)((char *)(slot) + (offset)))
#define CURSOR(slot) FIELD(uint64_t, slot, SLOT_CURSOR)
#define LIMIT(slot) FIELD(uint64_t, slot, SLOT_LIMIT)
#define REMAINING(slot) FIELD(int64_t, slot, SLOT_REMAINING)
#define HASH(slot) FIELD(uint64_t, slot, SLOT_HASH)
#define TOKEN(slot) FIELD(uint64_t, slot, SLOT_TOKEN)
#define DEADLINE(slot) FIELD(uint64_t, slot, SLOT_DEADLINE)
#define LEVEL(slot) FIELD(uint32_t, slot, SLOT_LEVEL)

static inline struct slot *slot_of_thread(void) {
    struct slot *slot;
    __asm__ volatile("movq %%fs:%c1, %0" : "=r"(slot) : "i"(SLOT_PLACE));
    return slot;
}
/* Each object has its own. */
#pragma GCC visibility push(hidden)
__attribute__((preserve_all)) struct slot *__faultline_thread(void);
__attribute__((preserve_all)) void __faultline_room(struct slot *);
__attribute__((preserve_all)) uint64_t __faultline_tick(struct slot *, uint64_t);
void __faultline_enter(struct slot *, uint64_t entry, uint64_t *saved);
void __faultline_leave(struct slot *, uint64_t *saved);
void __faultline_setjmp(struct slot *, uint64_t frame, uint32_t instruction, uint32_t level);
void __faultline_landed(struct slot *, uint64_t frame, uint32_t instruction);
void __faultline_divide_error(void);
#pragma GCC visibility pop

static inline struct slot *here(void) {
    struct slot *slot = slot_of_thread();
    return slot ? slot : __faultline_thread();
}

static inline void log_number(struct slot *slot, uint64_t number) {
    if (CURSOR(slot) >= LIMIT(slot))
        __faultline_room(slot);
    memcpy((void *)CURSOR(slot), &number, 8);
    CURSOR(slot) += 8;
}

/* One step: a tick, a predicate that is true, an entry. */
static inline void step(struct slot *slot, uint64_t number) {
    if (--REMAINING(slot) < 0)
        __faultline_tick(slot, 0);
    HASH(slot) = HASH(slot) * 3 + 1;
    log_number(slot, number);
}

static inline void returned(struct slot *slot) {
    TOKEN(slot) = 0;
    if (CURSOR(slot) >= LIMIT(slot))
        __faultline_room(slot);
    ((uint8_t *)CURSOR(slot))[0] = 0xa1;
    ((uint8_t *)CURSOR(slot))[1] = (uint8_t)(HASH(slot) ^ (HASH(slot) >> 8));
    CURSOR(slot) += 2;
}

#define TOKEN_OF(function) ((uint64_t)(function) & 0xffffffffffff)

struct module_descriptor {
    uint32_t version, address_count;
    uint8_t id[16];
    const uint64_t *addresses;
};
struct function_descriptor {
    uint64_t entry;
    const struct module_descriptor *module;
    uint32_t function, type_hash;
};

/* A module, with what would be compressed bitcode. */
#ifndef MODULE_ID
#define MODULE_ID "by hand by hand!"
#endif
__asm__(".pushsection .faultline.ir,\"\",@progbits\n"
        ".ascii \"FLTL-IR\\0\"\n"
        ".long " VERSION_TEXT ", 0\n"
        ".ascii \"" MODULE_ID "\"\n"
        ".quad 99, 13\n"
        ".ascii \"not bitcode..\"\n"
        ".balign 8\n"
        ".popsection\n");

static const uint64_t module_addresses[] = {0x1111, 0x2222, 0x3333};
__attribute__((section("faultline_modules"), used)) static struct module_descriptor module = {
    VERSION, 3, MODULE_ID, module_addresses};

#define INSTRUMENTED(name, number)                                                                                     \
    __attribute__((section("faultline_functions"), used)) static struct function_descriptor descriptor_of_##name = {   \
        (uint64_t)(name), &module, number, 0}
