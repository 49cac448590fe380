//~ criterion: output 1
// The value is a constant, but which one was a choice.
#include <stdio.h>

int main(void) {
    int which = 4; //~ in slice
    int no = 7; //~ not in slice
    int x = which > 3 ? 5 : no; //~ in slice
    putchar('0' + x); //~ in slice //~ origin: 8
    return 0;
}
