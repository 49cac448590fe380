//@ outside: parts/outside_caller.c
//~ criterion: output 1
// An outside function makes its result of its arguments.
#include <stdio.h>

int outside_plus(int a, int b);

int main(void) {
    int a = 2; //~ in slice
    int b = 3; //~ in slice
    int c = 4; //~ not in slice
    int sum = outside_plus(a, b); //~ in slice
    putchar('0' + sum); //~ in slice //~ origin: 12
    printf("%d\n", c); //~ not in slice
    return 0;
}
