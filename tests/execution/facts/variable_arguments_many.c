//~ criterion: output 1
// The list that va_start makes leads to the arguments, on the stack too.
// More than fit into registers; the loop decides which is the last.
#include <stdarg.h>
#include <stdio.h>

static long last(int count, ...) {
    va_list list;
    long found = 0; //~ not in slice
    va_start(list, count); //~ in slice
    for (int i = 0; i < count; i++) //~ controls: 11 12 //~ in slice
        found = va_arg(list, long); //~ in slice
    va_end(list);
    return found; //~ in slice //~ origin: 12
}

int main(void) {
    long a = 1; //~ not in slice
    long h = 8; //~ in slice
    long x = last(8, a, a, a, a, a, a, a, h); //~ in slice
    putchar('0' + (int)x); //~ in slice //~ origin: 20
    return 0;
}
