//~ criterion: output 1
// A handler that did not run has no part in the result.
#include <cstdio>

static int check(int n) {
    if (n > 9) //~ controls: 7 8 //~ in slice
        throw 1; //~ not in slice
    return n + 1; //~ in slice
}

int main() {
    int x = 0; //~ not in slice
    try {
        x = check(4); //~ in slice
    } catch (int caught) {
        x = caught; //~ not in slice
    }
    putchar('0' + x); //~ in slice //~ origin: 14
    return 0;
}
