//~ criterion: output 3
// The third turn's byte does not depend on what the first turns printed, but on their having ended.
#include <stdio.h>

int main(void) {
    int shown = 0; //~ not in slice
    int x = 1; //~ in slice
    for (int i = 0; i < 4; i++) { //~ controls: 8 9 10 11 //~ in slice
        x *= 2; //~ in slice
        putchar('0' + x); //~ in slice //~ origin: 9
        shown++; //~ not in slice
    }
    return shown - 4; //~ not in slice
}
