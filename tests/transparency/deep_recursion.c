// A hundred thousand frames, with memory of their own that is looked at on the way back. Instrumented code at -O0
// needs more stack for them than the usual limit allows.
#include <stdio.h>
#include <sys/resource.h>

static long down(int n, long *above) {
    long mine = n;
    if (n == 0) return *above;
    long below = down(n - 1, &mine);
    return (below * 31 + mine + *above) % 1000003;
}

static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }

int main(void) {
    struct rlimit limit = {64 << 20, 64 << 20};
    setrlimit(RLIMIT_STACK, &limit);
    long top = 7;
    printf("%ld %d\n", down(100000, &top), even(100000));
    return 0;
}
