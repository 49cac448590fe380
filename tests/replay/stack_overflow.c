//@ ends: signal 11
// Recursion without end.
#include <stdio.h>

static int endless(int n, int *above) {
    int mine[16];
    mine[n & 15] = *above + 1;
    return endless(n + 1, &mine[n & 15]) + mine[0 & n];
}

int main(void) {
    int zero = 0;
    puts("before");
    fflush(stdout);
    return endless(0, &zero);
}
