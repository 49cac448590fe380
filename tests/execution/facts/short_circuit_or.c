//~ criterion: output 1
// The left side was false, so the right one decided, and the left that it was asked.
#include <stdio.h>

int main(void) {
    int left = 0; //~ in slice
    int right = 1; //~ in slice
    int third = 1; //~ not in slice
    int x = 0; //~ not in slice
    if (left || right || third) //~ controls: 10 11 //~ in slice
        x = 5; //~ in slice
    putchar('0' + x); //~ in slice //~ origin: 11
    return 0;
}
