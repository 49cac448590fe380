// Reading memory as another type, which optimisers like to assume never happens.
#include <stdio.h>

static float trick(float *f, int *i) {
    *f = 1.0f;
    *i = 0x40490fdb;
    return *f;
}

static int order(long *l, int *i) {
    *i = 1;
    *l = 7;
    return *i;
}

int main(void) {
    union { float f; int i; } u;
    printf("%g\n", trick(&u.f, (int *)&u.f));
    long l = 0;
    printf("%d\n", order(&l, (int *)&l));
    double d = 1.0;
    unsigned long bits = *(unsigned long *)&d;
    short *halves = (short *)&bits;
    printf("%lx %d %d\n", bits, halves[3], halves[0]);
    char memory[16] = {0};
    *(int *)(memory + 1) = 0x01020304;
    printf("%d %d\n", memory[1], *(short *)(memory + 3));
    struct { int a; int b[1]; int c; } s = {1, {2}, 3};
    int index = 1;
    printf("%d\n", s.b[index]);
    return 0;
}
