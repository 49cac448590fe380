//~ criterion: output 1
// The handler runs because of the throw, with the value thrown.
#include <cstdio>

static int ignored;

static int check(int n) {
    ignored = n; //~ not in slice
    if (n > 2) //~ controls: 10 11 //~ in slice
        throw n + 1; //~ in slice
    return n; //~ not in slice
}

int main() {
    int n = 4; //~ in slice
    try {
        ignored = check(n); //~ in slice
    } catch (int caught) { //~ in slice
        putchar('0' + caught); //~ in slice //~ origin: 18
    }
    return 0;
}
