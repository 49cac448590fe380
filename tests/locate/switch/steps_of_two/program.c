/* Sums every second number up to a bound. */
#include <stdio.h>

static long sum(int bound) {
    long total = 0;
    unsigned char at = 0;
    while (at != bound) { //~ fault
        total += at;
        at += 2;
    }
    return total;
}

int main(void) {
    int bound;
    while (scanf("%d", &bound) == 1)
        printf("%ld\n", sum(bound));
    return 0;
}
