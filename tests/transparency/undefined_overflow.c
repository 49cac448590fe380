// Undefined behaviour that clang -O0 gives one meaning: signed overflow, shifts, conversions, comparisons of pointers.
#include <limits.h>
#include <stdio.h>

static int doubled(int x) { return x * 2; }
static int always(int x) { return x + 1 > x; }
static int shifted(int x, int n) { return x << n; }
static int shifted_back(int x, int n) { return x >> n; }
static int from_double(double x) { return (int)x; }
static unsigned char to_byte(double x) { return (unsigned char)x; }
static long difference(int *a, int *b) { return a - b; }
static int next(int *p) { return p + 1 > p; }
static int large = INT_MAX;

int main(void) {
    int count = 0;
    for (int i = 1; i > 0; i = doubled(i)) count++;
    printf("%d %d %d\n", count, always(large), always(5));
    printf("%d %d %d\n", large + 1, -INT_MIN, INT_MIN - large);
    for (int n = 28; n < 36; n++) printf("%d %d ", shifted(3, n), shifted_back(INT_MIN, n));
    printf("\n%d %d %d %d\n", from_double(1e20), from_double(-1e20), from_double(2147483648.0), to_byte(300.7));
    int a[4];
    printf("%ld %d\n", difference(a, a + 3), next((int *)(~0UL - 3)));
    for (int i = INT_MAX - 2, n = 0; i + 1 > 0 && n < 10; i++, n++) count++;
    printf("%d\n", count);
    return 0;
}
