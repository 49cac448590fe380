//@ ends: signal 6
// A failed assertion.
#include <assert.h>
#include <stdio.h>

static int half(int x) {
    assert(x % 2 == 0 && "even");
    return x / 2;
}

int main(void) {
    setvbuf(stdout, 0, _IONBF, 0);
    for (int x = 96; x; x = half(x)) printf("%d\n", x);
    return 0;
}
