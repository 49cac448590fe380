//~ criterion: output 1
// Bit-fields share their storage: to set one is to read and write what holds the others, so the others are used.
#include <stdio.h>

struct flags { unsigned a : 3, b : 5; };

int main(void) {
    struct flags f;
    int other = 1; //~ not in slice
    f.a = 0; //~ in slice
    f.b = 0; //~ in slice
    f.a = 5; //~ in slice
    f.b = 9; //~ in slice
    putchar('0' + f.a); //~ in slice //~ origin: 13
    printf("%d\n", other); //~ not in slice
    return 0;
}
