//@ flags: -lm
// long double is the x87's 80 bits: arithmetic, conversions, arguments, members, printing.
#include <math.h>
#include <stdio.h>

struct holder {
    char c;
    long double value;
    int i;
};

static long double third(long double x) { return x / 3; }
static struct holder scaled(struct holder h, long double by) {
    h.value *= by;
    h.i++;
    return h;
}

int main(void) {
    long double x = 1, sum = 0;
    for (int i = 0; i < 64; i++) {
        x = third(x) + i * 0.1L;
        sum += sqrtl(x) - x;
    }
    printf("%La %.21Lg\n", x, sum);
    printf("%a %a %d %ld %llu\n", (double)x, (float)x, (int)x, (long)(x * 1e9L), (unsigned long long)(x * 1e18L));
    long double huge = 1e4000L, tiny = 1e-4000L;
    printf("%Lg %Lg %d %d\n", huge * huge, tiny * tiny, huge > 1, tiny == 0);
    long double integer = 9223372036854775807LL, unsigned_integer = 18446744073709551615ULL;
    printf("%.0Lf %.0Lf %.0Lf\n", integer + 1, unsigned_integer, -integer - 1);
    struct holder h = {'h', 2.5L, 7};
    h = scaled(h, 1.1L);
    printf("%c %La %d\n", h.c, h.value, h.i);
    long double array[5] = {1, -2, 3, -4, 5};
    for (int i = 1; i < 5; i++) array[i] += array[i - 1] * 0.7L;
    printf("%La %La\n", array[3], array[4]);
    printf("%d %d %d\n", array[1] < array[2], array[1] != array[1], isnan(huge * huge - huge * huge));
    printf("%La %La %La\n", floorl(-2.5L), fabsl(array[1]), fmodl(10, 3.3L));
    return 0;
}
