/* Conditions and assignments of many kinds. Each can be compiled in another way, which an edit of it must equal. */
#include <stdio.h>

#ifndef COMPARISON
#define COMPARISON <
#endif
#ifndef BOUND
#define BOUND 7
#endif
#ifndef SIGN
#define SIGN +
#endif
#ifndef WEIGHED
#define WEIGHED(a, b) ((a) - (b))
#endif
#ifndef SCALED
#define SCALED(a, b) ((a) * (b))
#endif
#ifndef FLOATS
#define FLOATS >
#endif
#ifndef WRAP
#define WRAP(x) ((x) + 200)
#endif
#ifndef IS_EVEN
#define IS_EVEN(n) ((n) % 2 == 0)
#endif
#ifndef COUNT
#define COUNT(n) n = n + 3
#endif
#ifndef FAR_ENOUGH
#define FAR_ENOUGH(x, limit) ((x) >= (limit))
#endif

static int between(int value) {
    if (value COMPARISON 4) return 1;
    return 2;
}

static unsigned long checksum;

static void add(int value) {
    checksum = checksum SIGN value * 31;
}

int main(void) {
    int weighed = 0, count = 0;
    double scaled = 1;
    for (int i = 0; i < BOUND; i++) {
        add(between(i));
        weighed = WEIGHED(weighed * 3, i);
        COUNT(count);
        scaled = SCALED(scaled, 1.25);
        if (scaled FLOATS 2.5) printf("%d scaled\n", i);
        unsigned char wrapped = WRAP(i * 20);
        int even = IS_EVEN(i);
        printf("%d %d %d %d\n", i, weighed % 1000, wrapped, even);
        if (FAR_ENOUGH(wrapped, 220u)) add(wrapped);
    }
    printf("%lu %d %.3f\n", checksum % 100000, count, scaled);
    return 1;
}
