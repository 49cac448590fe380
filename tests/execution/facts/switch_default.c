//~ criterion: output 1
// The default is chosen by the switch as any case is.
#include <stdio.h>

int main(void) {
    int kind = 8; //~ in slice
    int x = 1; //~ not in slice
    switch (kind) { //~ controls: 10 11 13 14 16 //~ in slice //~ origin: 6
    case 2:
        x = 2; //~ not in slice
        break;
    case 4:
        x = 4; //~ not in slice
        break;
    default:
        x = 5; //~ in slice //~ origin: nothing
    }
    putchar('0' + x); //~ in slice //~ origin: 16
    return 0;
}
