//~ criterion: output 1
// A static local keeps its value from call to call.
#include <stdio.h>

static int next(void) {
    static int last = 2;
    static int calls;
    calls++; //~ not in slice
    last += 2; //~ in slice //~ origin: 9
    return last; //~ in slice //~ origin: 9
}

int main(void) {
    int first = next(); //~ in slice
    int second = next(); //~ in slice
    putchar('0' + second); //~ in slice //~ origin: 15
    printf("%d\n", first); //~ not in slice
    return 0;
}
