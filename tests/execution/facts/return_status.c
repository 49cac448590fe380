//@ ends: exit 3
//~ criterion: failure
#include <stdio.h>

static int failures;

static void check(int is_right) {
    if (!is_right) //~ controls: 9 //~ in slice
        failures++; //~ in slice
}

int main(void) {
    int x = 2; //~ in slice
    check(x == 1); //~ in slice
    check(x == 2);
    check(x == 3); //~ in slice
    check(x == 4); //~ in slice
    printf("%d\n", failures); //~ not in slice
    return failures; //~ in slice //~ origin: 9
}
