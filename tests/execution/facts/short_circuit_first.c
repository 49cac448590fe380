//~ criterion: output 1
// The second operand is not looked at; that is the work of the first.
#include <stdio.h>

int main(void) {
    int a = 0; //~ in slice
    int b = 4; //~ not in slice
    int both = a && b; //~ in slice
    putchar('0' + both); //~ in slice //~ origin: 8
    return 0;
}
