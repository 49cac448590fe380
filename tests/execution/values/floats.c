#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    float f = 0.1f;
    double d = 1;
    long double l = -2.5L;
    double complex z = 1 + 2 * I;
    bool done = false;
    while (!done) { //~ values done: false false true
        d /= 3; //~ values d: 1.0 0.3333333333333333
        f *= 10; //~ values f: 0.1 1.0
        done = d < 0.2; //~ values done: false false
    }
    d = INFINITY;
    f = -NAN; //~ values d: inf
    printf("%f %Lf %d %f\n", d, l, f != f, creal(z)); //~ values l: -2.5 //~ values f: NaN //~ values z: 1.0+2.0i
    return 0;
}
