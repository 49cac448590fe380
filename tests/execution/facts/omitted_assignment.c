//~ criterion: output 1
// A condition that went by an assignment is not in a plain slice: that takes potential dependence.
#include <stdio.h>

int main(void) {
    int careful = 0; //~ not in slice
    int x = 1; //~ in slice
    if (careful) //~ controls: 9 //~ not in slice
        x = 2; //~ not in slice
    putchar('0' + x); //~ in slice //~ origin: 7
    return 0;
}
