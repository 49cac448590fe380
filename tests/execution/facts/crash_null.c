//@ ends: signal 11
//~ criterion: failure
// The address is what went wrong, not what was to be stored.
#include <stdio.h>

struct box { int size; int *content; };

static void fill(struct box *box, int value) {
    *box->content = value; //~ in slice
}

int main(void) {
    int spare = 1; //~ not in slice
    struct box box;
    int value = 5; //~ not in slice
    box.size = 1; //~ not in slice
    box.content = &spare; //~ not in slice
    box.content = NULL; //~ in slice
    fill(&box, value); //~ in slice
    putchar('0' + spare); //~ not in slice
    return 0;
}
