//~ criterion: output 1
// A field assigned after the copy hides the one that was copied.
#include <stdio.h>

struct pair { long first, second, more[4]; };

int main(void) {
    struct pair a = {1, 2}; //~ not in slice
    struct pair b = a; //~ not in slice
    b.second = 6; //~ in slice
    struct pair *p = &b; //~ in slice
    putchar('0' + (int)p->second); //~ in slice //~ origin: 10 11
    return 0;
}
