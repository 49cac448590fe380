// Half precision and quadruple precision, computed by library routines.
#include <stdio.h>

static _Float16 halves[4] = {1.5, -0.1, 60000, 6e-8};

static _Float16 twice(_Float16 x) { return x + x; }
static __float128 cube(__float128 x) { return x * x * x; }

int main(void) {
    for (int i = 0; i < 4; i++) {
        _Float16 h = twice(halves[i]);
        printf("%a %a %d\n", (double)halves[i], (double)h, h < halves[0]);
    }
    __float128 q = 1;
    for (int i = 1; i < 30; i++) q = cube(q / 7) + i;
    printf("%a %a %ld %d\n", (double)q, (double)((q - (double)q) * 1e20), (long)q, q > 5);
    return 0;
}
