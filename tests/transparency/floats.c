//@ flags: -lm
// float and double: arithmetic, conversions, comparisons, special values. Printed in full (%a).
#include <float.h>
#include <math.h>
#include <stdio.h>

static double doubles[] = {0.0, -0.0, 1.0, -1.5, 0.1, 1e300, -1e-300, 4.9e-324, DBL_MAX, INFINITY, -INFINITY, 3e9, 65504.5};
static float singles[] = {0.0f, -0.0f, 1.0f, 1e-45f, FLT_MAX, 16777217.0f, -3.25f, INFINITY};

int main(void) {
    int n = sizeof doubles / sizeof *doubles;
    for (int i = 0; i < n; i++) {
        double x = doubles[i];
        for (int j = 0; j < n; j++) {
            double y = doubles[j];
            printf("%a %a %a %a ", x + y, x - y, x * y, x / y);
            printf("%d%d%d%d%d%d%d ", x < y, x <= y, x == y, x != y, x > y, x >= y, isunordered(x, y));
            printf("%a %a %a\n", fmin(x, y), fmax(x, y), copysign(x, y));
        }
        printf("%a %a %a %a %a %a\n", floor(x), ceil(x), trunc(x), round(x), rint(x), fabs(x));
        printf("%a %a %a\n", -x, sqrt(fabs(x)), fma(x, 3.0, 0.1));
        printf("%a\n", (double)(float)x);
        if (fabs(x) < 1e9) printf("%d %u %ld %lu\n", (int)x, (unsigned)fabs(x), (long)x, (unsigned long)fabs(x));
    }
    float total = 0;
    for (unsigned i = 0; i < sizeof singles / sizeof *singles; i++) {
        float x = singles[i];
        total = total * 0.5f + x;
        printf("%a %a %a %a\n", x * 3.0f, x / 7.0f, x + 1.0, total);
    }
    printf("%a %a %a\n", (double)18446744073709551615ULL, (float)16777217, (double)(unsigned)-1);
    double harmonic = 0;
    for (int i = 1; i < 1000; i++) harmonic += 1.0 / i;
    printf("%a %.17g %g %f\n", harmonic, harmonic, harmonic, harmonic);
    printf("%a %a %a\n", sin(harmonic), pow(harmonic, 0.3), log(harmonic));
    return 0;
}
