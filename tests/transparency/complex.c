//@ flags: -lm
// _Complex numbers of all three kinds, as values, arguments and results.
#include <complex.h>
#include <stdio.h>

static float complex multiply_single(float complex a, float complex b) { return a * b + 1.0f; }
static double complex iterate(double complex z, double complex c, int n) {
    while (n-- > 0) z = z * z + c;
    return z;
}
static long double complex divide(long double complex a, long double complex b) { return a / b; }

int main(void) {
    float complex f = 1.0f + 2.0f * I;
    for (int i = 0; i < 5; i++) f = multiply_single(f, 0.3f - 0.7f * I);
    printf("%a %a\n", crealf(f), cimagf(f));
    double complex d = iterate(0.1, -0.4 + 0.6 * I, 20);
    printf("%a %a %d\n", creal(d), cimag(d), d == conj(conj(d)));
    long double complex l = divide(3 + 4 * I, 1.5L - 2 * I);
    printf("%La %La\n", creall(l), cimagl(l));
    double complex array[3] = {1, I, 2 - I};
    array[1] *= array[2];
    array[0] -= array[1] / 3;
    __real__ array[2] = 9;
    printf("%a %a %a %a %a\n", creal(array[0]), cimag(array[0]), creal(array[2]), cimag(array[2]), cabs(array[1]));
    int complex_integer = (int)d;
    _Complex int z = 3 + 4i;
    z = z * z;
    printf("%d %d %d\n", complex_integer, __real__ z, __imag__ z);
    return 0;
}
