//@ flags: -fwrapv
//~ criterion: output 1
// The product is too large for an int, and so the comparison goes wrong.
#include <stdio.h>

int main(void) {
    int width = 50000; //~ in slice
    int height = 50000; //~ in slice
    int depth = 2; //~ not in slice
    int area = width * height; //~ in slice //~ origin: 7 8
    int x = 0; //~ not in slice
    if (area > width) //~ controls: 13 15 //~ in slice //~ origin: 7 10
        x = 1; //~ not in slice
    else
        x = 2; //~ in slice
    depth += x; //~ not in slice
    putchar('0' + x); //~ in slice
    return 0;
}
