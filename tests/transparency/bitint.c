//@ flags: -std=c2x
// _BitInt of widths below, at and above the machine's.
#include <stdio.h>

typedef signed _BitInt(7) i7;
typedef unsigned _BitInt(24) u24;
typedef unsigned _BitInt(100) u100;
typedef signed _BitInt(257) i257;

struct mixed {
    i7 a;
    u24 b;
    u100 c;
};

static u100 fold(u100 x, i7 y) { return x * 1000003u + (u100)y; }

int main(void) {
    u100 sum = 1;
    i7 small = 60;
    u24 middle = 0xfffff0;
    for (int i = 0; i < 50; i++) {
        small = (i7)(small + 3);
        middle += 7;
        sum = fold(sum, small) ^ middle;
    }
    printf("%d %u %lx %lx\n", (int)small, (unsigned)middle, (unsigned long)(sum >> 64), (unsigned long)sum);
    i257 wide = 1;
    for (int i = 0; i < 60; i++) wide *= -13;
    printf("%lx %lx %d\n", (unsigned long)(wide >> 190), (unsigned long)wide, wide < 0);
    struct mixed m = {.a = -3, .b = 12345, .c = (u100)7 << 90};
    m.c += m.b;
    printf("%d %u %lx %zu\n", (int)m.a, (unsigned)m.b, (unsigned long)(m.c >> 60), sizeof m);
    return 0;
}
