// More arguments than registers, of mixed classes, also through a pointer.
#include <stdio.h>

static double many(char a, double b, short c, float d, int e, double f, long g, double h, unsigned i, float j, char *k,
                   double l, long double m, double n, long long o, float p, int q, double r, unsigned char s, double t) {
    return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k[1] * 11 + l * 12 +
           (double)m * 13 + n * 14 + o * 15 + p * 16 + q * 17 + r * 18 + s * 19 + t * 20;
}

int main(void) {
    double (*volatile pointer)(char, double, short, float, int, double, long, double, unsigned, float, char *, double,
                               long double, double, long long, float, int, double, unsigned char, double) = many;
    printf("%a\n", many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "abc", 12, 13, 14, 15, 16, 17, 18, 19, 20));
    printf("%a\n", pointer(-1, 2, -3, 4, -5, 6, -7, 8, 9, -10, "xyz", -12, 13, -14, 15, -16, 17, -18, 19, -20));
    return 0;
}
