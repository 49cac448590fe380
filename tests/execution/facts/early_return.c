//~ criterion: output 1
// What follows an early return was executed because it was not taken.
#include <stdio.h>

static int half(int n) {
    int unused = n; //~ not in slice
    if (n < 0) //~ controls: 8 9 10 //~ in slice
        return -1; //~ not in slice
    int twice = n * 2; //~ in slice
    return twice / 4; //~ in slice //~ origin: 9
}

int main(void) {
    int eight = 8; //~ in slice
    int result = half(eight); //~ in slice
    putchar('0' + result); //~ in slice //~ origin: 15
    return 0;
}
