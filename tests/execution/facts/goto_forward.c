//~ criterion: output 1
// The jump went by an assignment, which a plain slice does not say.
#include <stdio.h>

int main(void) {
    int x = 1; //~ not in slice
    int skip = 1; //~ not in slice
    x = 4; //~ in slice
    if (skip) //~ controls: 10 11 //~ not in slice
        goto out;
    x = 9; //~ not in slice
out:
    putchar('0' + x); //~ in slice //~ origin: 8
    return 0;
}
