// Inline assembly: outputs, inputs, read-write operands, memory, clobbers, flags, jumps.
#include <stdio.h>

static unsigned add_with_carry(unsigned a, unsigned b, unsigned char *carry) {
    unsigned r = a;
    __asm__("addl %2, %0\n\tsetc %1" : "+r"(r), "=q"(*carry) : "r"(b) : "cc");
    return r;
}

static unsigned long divide(unsigned long high, unsigned long low, unsigned long by, unsigned long *rest) {
    unsigned long quotient;
    __asm__("divq %4" : "=a"(quotient), "=d"(*rest) : "a"(low), "d"(high), "r"(by) : "cc");
    return quotient;
}

static int is_zero(int x) {
    int zero;
    __asm__("testl %1, %1" : "=@ccz"(zero) : "r"(x));
    return zero;
}

static int chosen(int x) {
    __asm__ goto("cmpl $5, %0\n\tjg %l[large]" : : "r"(x) : "cc" : large);
    return -1;
large:
    return 1;
}

static void store(int *where, int what) { __asm__ volatile("movl %1, %0" : "=m"(*where) : "r"(what) : "memory"); }

__asm__(".globl from_assembly\nfrom_assembly:\n\tleal 3(%rdi,%rdi), %eax\n\tret\n");
int from_assembly(int);

int main(void) {
    unsigned char carry;
    printf("%u", add_with_carry(4000000000u, 1000000000u, &carry));
    printf(" %d\n", carry);
    unsigned long rest;
    printf("%lu", divide(1, 7, 10, &rest));
    printf(" %lu\n", rest);
    printf("%d %d %d %d\n", is_zero(0), is_zero(7), chosen(5), chosen(6));
    int array[3] = {1, 2, 3};
    store(&array[1], 77);
    printf("%d %d\n", array[1], from_assembly(20));
    unsigned long before = 1;
    for (int i = 0; i < 10; i++) __asm__("lea (%0,%0,2), %0" : "+r"(before));
    double x = 2;
    __asm__("sqrtsd %1, %0" : "=x"(x) : "x"(x));
    long double y = 3;
    __asm__("fsqrt" : "+t"(y));
    printf("%lu %a %La\n", before, x, y);
    struct { unsigned long a, b; } swapped = {1, 2};
    __asm__("xchgq %0, %1" : "+r"(swapped.a), "+m"(swapped.b));
    printf("%lu %lu\n", swapped.a, swapped.b);
    return 0;
}
