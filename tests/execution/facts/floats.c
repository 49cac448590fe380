//@ flags: -lm
//~ criterion: output 1
#include <math.h>
#include <stdio.h>

int main(void) {
    double a = 2.5; //~ in slice
    float b = 1.5f; //~ in slice
    double c = 9.0; //~ not in slice
    double sum = a + b; //~ in slice //~ origin: 7 8
    double root = floor(sum); //~ in slice
    c = c / a; //~ not in slice
    putchar('0' + (int)root); //~ in slice //~ origin: 11
    printf("%f\n", c); //~ not in slice
    return 0;
}
