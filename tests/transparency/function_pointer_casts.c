// Functions called through pointers of other types, as callbacks often are.
#include <stdio.h>

typedef void (*any)(void);
static int add(int a, int b) { return a + b; }
static long negate(long x) { return -x; }
static void *identity(void *p) { return p; }
static int count;
static int bump(void) { return ++count; }
static double half(double x) { return x / 2; }

static any table[] = {(any)add, (any)negate, (any)identity, (any)bump, (any)half};

static int apply(int (*f)(void *, void *), void *a, void *b) { return f(a, b); }

int main(void) {
    printf("%d\n", ((int (*)(int, int))table[0])(3, 4));
    printf("%ld\n", ((long (*)(long))table[1])(5));
    printf("%s\n", (char *)((void *(*)(void *))table[2])("same"));
    printf("%g\n", ((double (*)(double))table[4])(5));
    // Called with other types than defined with: works on this machine, and is how it must stay.
    printf("%d\n", apply((int (*)(void *, void *))add, (void *)30L, (void *)12L));
    ((void (*)(int))table[3])(1);
    printf("%d %d\n", ((int (*)(int, int, int))table[3])(1, 2, 3), count);
    printf("%ld\n", (long)((void *(*)(long))table[1])(8));
    printf("%u\n", ((unsigned (*)(unsigned, unsigned))table[0])(1u, 2u));
    return 0;
}
