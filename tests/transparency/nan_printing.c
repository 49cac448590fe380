//@ flags: -lm
// Not-a-number: sign, payload, comparison, printing, and through memory and calls.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double x) {
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static double zero = 0.0;
static double pass(double x) { return x; }

int main(void) {
    double made = zero / zero;
    double given = nan("0x123");
    double infinite = 1.0 / zero;
    printf("%f %f %f %F %e %g\n", made, given, -given, infinite, -infinite, infinite - infinite);
    printf("%016lx %016lx %016lx\n", bits(made), bits(given), bits(-given));
    printf("%016lx %016lx\n", bits(pass(given) + 1), bits(infinite * zero));
    printf("%d %d %d %d\n", made == made, made != made, made < 1, !(made >= 1));
    float narrow = (float)given;
    printf("%f %016lx %d %d\n", narrow, bits((double)narrow), isnan(narrow), isinf(infinite));
    printf("%d %d %d\n", fpclassify(made) == FP_NAN, signbit(-given) != 0, (int)isfinite(infinite));
    return 0;
}
