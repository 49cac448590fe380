//@ ends: signal 8
// The one quotient that does not fit.
#include <limits.h>
#include <stdio.h>

static long quotient(long a, int b) { return (int)a / b; }

int main(void) {
    setvbuf(stdout, 0, _IONBF, 0);
    for (int b = -3; b < 0; b++) printf("%ld\n", quotient(INT_MIN, b));
    return 0;
}
