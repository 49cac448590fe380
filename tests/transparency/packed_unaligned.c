// Members that are not aligned, and pointers to them.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#pragma pack(push, 1)
struct header { uint8_t kind; uint32_t length; uint16_t flags; double value; uint64_t id; };
#pragma pack(pop)
typedef uint32_t unaligned __attribute__((aligned(1)));

int main(void) {
    unsigned char wire[64];
    for (int i = 0; i < 64; i++) wire[i] = (unsigned char)(i * 7);
    struct header *h = (struct header *)(wire + 3);
    h->length += 0x01020304;
    h->value = 2.75;
    h->id ^= 0xffff0000ffffULL;
    printf("%zu %u %x %x %g %lx\n", sizeof *h, h->kind, h->length, h->flags, h->value, h->id);
    uint32_t sum = 0;
    for (int i = 0; i < 60; i++) sum = sum * 31 + *(unaligned *)(wire + i);
    struct header copy = *h;
    memcpy(&copy.length, wire + 1, 4);
    printf("%u %x\n", sum, copy.length);
    return 0;
}
