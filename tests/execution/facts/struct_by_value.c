//~ criterion: output 1
// The callee's copy is its own: what it assigns does not come back.
#include <stdio.h>

struct big { int a, b, rest[20]; };

static int use(struct big copy) {
    int sum = copy.a + copy.rest[3]; //~ in slice
    copy.b = 0; //~ not in slice
    return sum; //~ in slice //~ origin: 8
}

int main(void) {
    struct big one;
    one.a = 3; //~ in slice
    one.b = 4; //~ not in slice
    one.rest[3] = 2; //~ in slice
    one.rest[4] = 1; //~ not in slice
    int x = use(one); //~ in slice
    putchar('0' + x); //~ in slice //~ origin: 19
    return 0;
}
