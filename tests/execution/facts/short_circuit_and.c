//~ criterion: output 1
// The right side was never looked at.
#include <stdio.h>

static int asked;

static int ask(int x) {
    asked++; //~ not in slice
    return x; //~ not in slice
}

int main(void) {
    int left = 0; //~ in slice
    int right = 1; //~ not in slice
    int x;
    if (left && ask(right)) //~ controls: 16 17 19 //~ in slice
        x = 1; //~ not in slice
    else
        x = 2; //~ in slice
    putchar('0' + x); //~ in slice //~ origin: 19
    return 0;
}
