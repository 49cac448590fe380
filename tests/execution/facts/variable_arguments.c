//~ criterion: output 1
// The list that va_start makes leads to the arguments.
// A function of the program's own takes each argument from the call; where it is, the arguments before it decide.
#include <stdarg.h>
#include <stdio.h>

static int second(int count, ...) {
    va_list list;
    va_start(list, count); //~ in slice
    int first = va_arg(list, int); //~ in slice
    int wanted = va_arg(list, int); //~ in slice
    va_end(list);
    return wanted; //~ in slice //~ origin: 11
}

int main(void) {
    int a = 1; //~ not in slice
    int b = 2; //~ in slice
    int c = 3; //~ not in slice
    int x = second(3, a, b, c); //~ in slice
    putchar('0' + x); //~ in slice //~ origin: 20
    return 0;
}
