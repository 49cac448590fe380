//@ outside: parts/outside_scribbler.c
//~ criterion: output 1
// Memory that outside code wrote comes from the call that it was given to.
#include <stdio.h>

void outside_store(int *to, int value);

int main(void) {
    int x = 1; //~ not in slice
    int y = 2; //~ not in slice
    int value = 6; //~ in slice
    outside_store(&y, 3);
    outside_store(&x, value); //~ in slice
    putchar('0' + x); //~ in slice //~ origin: 13
    return 0;
}
