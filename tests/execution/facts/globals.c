//~ criterion: output 1
#include <stdio.h>

int limit = 4;
int unused = 5;

static void raise_limit(int by) {
    limit += by; //~ in slice
}

int main(void) {
    unused = 7; //~ not in slice
    raise_limit(2); //~ in slice
    unused = limit; //~ not in slice
    putchar('0' + limit); //~ in slice //~ origin: 8
    return 0;
}
