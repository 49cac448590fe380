//~ criterion: output 1
#include <stdio.h>

int main(void) {
    volatile int x = 1; //~ not in slice
    volatile int y = 2; //~ in slice
    x = 3; //~ in slice
    int sum = x + y; //~ in slice //~ origin: 6 7
    x = 4; //~ not in slice
    putchar('0' + sum); //~ in slice //~ origin: 8
    return 0;
}
