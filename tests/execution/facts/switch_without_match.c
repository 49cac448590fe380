//~ criterion: output 1
// No case was taken: what was there before is still there, and the plain slice does not say why.
#include <stdio.h>

int main(void) {
    int kind = 7; //~ not in slice
    int x = 1; //~ in slice
    switch (kind) { //~ controls: 10 11 //~ not in slice
    case 2:
        x = 2; //~ not in slice
        break;
    }
    putchar('0' + x); //~ in slice //~ origin: 7
    return 0;
}
