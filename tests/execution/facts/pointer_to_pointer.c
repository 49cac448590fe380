//~ criterion: output 1
#include <stdio.h>

static void aim(int **where, int *at) {
    *where = at; //~ in slice
}

int main(void) {
    int a = 1; //~ not in slice
    int b = 2; //~ not in slice
    int *p = &a; //~ not in slice
    aim(&p, &b); //~ in slice
    *p = 6; //~ in slice //~ origin: 5
    putchar('0' + b); //~ in slice //~ origin: 13
    return 0;
}
