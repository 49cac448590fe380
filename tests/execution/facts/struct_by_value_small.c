//~ criterion: output 1
// A small structure travels in registers, both fields in one.
#include <stdio.h>

struct pair { int a, b; };

static int use(struct pair copy) {
    return copy.a; //~ in slice
}

int main(void) {
    struct pair one;
    int other = 4; //~ not in slice
    one.a = 3; //~ in slice
    one.b = 1; //~ in slice
    int x = use(one); //~ in slice
    putchar('0' + x); //~ in slice //~ origin: 16
    printf("%d\n", other); //~ not in slice
    return 0;
}
