/* Whether the functions called with preserve_all do preserve all: fills every register, calls, compares. */

#include "by_hand.h"

struct registers {
    uint64_t general[14]; /* rax rbx rcx rdx rsi rdi r8 r9 r10 r12 r13 r14 r15 rbp */
    uint8_t vectors[16][32];
} before, after;

#define GENERAL(op, base)                                                                                              \
    op(rax, 0, base) op(rbx, 1, base) op(rcx, 2, base) op(rdx, 3, base) op(rsi, 4, base) op(rdi, 5, base)              \
        op(r8, 6, base) op(r9, 7, base) op(r10, 8, base) op(r12, 9, base) op(r13, 10, base) op(r14, 11, base)          \
            op(r15, 12, base)
#define LOAD(name, number, base) "movq " #base "+8*" #number "(%rip), %" #name "\n"
#define STORE(name, number, base) "movq %" #name ", " #base "+8*" #number "(%rip)\n"
#define VECTORS(op, base)                                                                                              \
    op(0, base) op(1, base) op(2, base) op(3, base) op(4, base) op(5, base) op(6, base) op(7, base) op(8, base)        \
        op(9, base) op(10, base) op(11, base) op(12, base) op(13, base) op(14, base) op(15, base)
#define LOAD_YMM(n, base) "vmovups " #base "+112+32*" #n "(%rip), %ymm" #n "\n"
#define STORE_YMM(n, base) "vmovups %ymm" #n ", " #base "+112+32*" #n "(%rip)\n"
#define LOAD_XMM(n, base) "movups " #base "+112+32*" #n "(%rip), %xmm" #n "\n"
#define STORE_XMM(n, base) "movups %xmm" #n ", " #base "+112+32*" #n "(%rip)\n"

#define CALLER(name, target, load, store)                                                                              \
    void name(void);                                                                                                   \
    __asm__(".text\n" #name ":\n"                                                                                      \
            "pushq %rbx\n pushq %rbp\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n subq $8, %rsp\n"            \
            GENERAL(LOAD, before) VECTORS(load, before)                                                                \
            "call " #target "\n"                                                                                       \
            GENERAL(STORE, after) VECTORS(store, after)                                                                \
            "addq $8, %rsp\n popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbp\n popq %rbx\n ret\n")

CALLER(thread_xmm, __faultline_thread, LOAD_XMM, STORE_XMM);
CALLER(room_xmm, __faultline_room, LOAD_XMM, STORE_XMM);
CALLER(tick_xmm, __faultline_tick, LOAD_XMM, STORE_XMM);
CALLER(thread_ymm, __faultline_thread, LOAD_YMM, STORE_YMM);
CALLER(room_ymm, __faultline_room, LOAD_YMM, STORE_YMM);
CALLER(tick_ymm, __faultline_tick, LOAD_YMM, STORE_YMM);

static int failures;
/* What stands for the place of a tick. */
static const uint8_t place = 1;

/* `result`: whether rax is the function's result. */
static void check(const char *what, void (*call)(void), int result, int vector_bytes) {
    for (unsigned i = 0; i < sizeof before; i++)
        ((uint8_t *)&before)[i] = (uint8_t)(i * 7 + 1);
    before.general[5] = (uint64_t)slot_of_thread(); /* rdi, the first argument */
    before.general[3] = (uint64_t)&place;           /* rdx, the third one of a tick */
    memset(&after, 0, sizeof after);
    call();
    for (int i = result; i < 13; i++)
        if (after.general[i] != before.general[i])
            printf("%s: general register %d changed\n", what, i), failures++;
    for (int i = 0; i < 16; i++)
        if (memcmp(after.vectors[i], before.vectors[i], vector_bytes))
            printf("%s: vector register %d changed\n", what, i), failures++;
}

int main(void) {
    if (__builtin_cpu_supports("avx")) {
        check("thread", thread_ymm, 1, 32);
        CURSOR(slot_of_thread()) = LIMIT(slot_of_thread());
        check("room", room_ymm, 0, 32);
        REMAINING(slot_of_thread()) = -1;
        check("tick", tick_ymm, 1, 32);
        if (after.general[0] != before.general[4])
            printf("tick: another value came back\n"), failures++;
    }
    check("thread", thread_xmm, 1, 16);
    CURSOR(slot_of_thread()) = LIMIT(slot_of_thread());
    check("room", room_xmm, 0, 16);
    REMAINING(slot_of_thread()) = -1;
    uint64_t clock = DEADLINE(slot_of_thread()) - REMAINING(slot_of_thread());
    check("tick", tick_xmm, 1, 16);
    if (REMAINING(slot_of_thread()) < 0 || DEADLINE(slot_of_thread()) - REMAINING(slot_of_thread()) != clock)
        printf("tick: the clock is wrong\n"), failures++;
    return failures != 0;
}
