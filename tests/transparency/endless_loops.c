// Loops a compiler might assume to end, left by other means.
#include <stdio.h>
#include <stdlib.h>

static int steps;
static void leave_after(int n) {
    if (++steps >= n) exit(3 - 3);
}

static unsigned collatz(unsigned long n) {
    unsigned length = 0;
    while (n != 1) n = n & 1 ? 3 * n + 1 : n / 2, length++;
    return length;
}

int main(void) {
    printf("%u\n", collatz(837799));
    fflush(stdout);
    for (;;) leave_after(1000);
}
