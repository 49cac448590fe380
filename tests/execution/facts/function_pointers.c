//~ criterion: output 1
// Which function is called depends on where its address came from.
#include <stdio.h>

static int plus(int a, int b) {
    return a + b; //~ in slice
}

static int minus(int a, int b) {
    return a - b; //~ not in slice
}

int main(void) {
    int (*table[2])(int, int) = {minus, minus}; //~ not in slice
    int at = 1; //~ in slice
    table[at] = plus; //~ in slice
    table[0] = minus; //~ not in slice
    int (*chosen)(int, int) = table[at]; //~ in slice //~ origin: 15 16
    int x = chosen(3, 4); //~ in slice
    putchar('0' + x); //~ in slice //~ origin: 19
    return 0;
}
