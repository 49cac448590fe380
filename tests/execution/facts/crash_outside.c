//@ outside: parts/outside_scribbler.c
//@ ends: signal 11
//~ criterion: failure
// The crash is in code that is not instrumented.
#include <stddef.h>

void outside_store(int *to, int value);

int main(void) {
    int good = 0; //~ not in slice
    int value = 3; //~ in slice
    int *to = &good; //~ not in slice
    outside_store(to, value); //~ not in slice
    to = NULL; //~ in slice
    outside_store(to, value); //~ in slice
    return good; //~ not in slice
}
