//~ criterion: output 1
// A copy of a structure takes each field from where that field was written.
#include <stdio.h>

struct point { int x, y, z[8]; };

int main(void) {
    struct point a, b;
    a.x = 1; //~ in slice
    a.y = 2; //~ not in slice
    a.z[0] = 3; //~ not in slice
    b.x = 9; //~ not in slice
    b = a; //~ in slice
    b.y = 7; //~ not in slice
    putchar('0' + b.x); //~ in slice
    printf("%d\n", b.y); //~ not in slice //~ origin: 14
    return 0;
}
