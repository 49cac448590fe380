//~ criterion: output 1
#include <stdio.h>

int main(void) {
    int x = 1; //~ not in slice
    int skip = 1; //~ in slice
    x = 4; //~ in slice
    if (skip) //~ controls: 9 10 //~ in slice
        goto out;
    x = 9; //~ not in slice
out:
    putchar('0' + x); //~ in slice //~ origin: 7
    return 0;
}
