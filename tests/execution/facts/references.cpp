//~ criterion: output 1
#include <cstdio>

static void add(int &to, const int &what) {
    to += what; //~ in slice
}

int main() {
    int x = 1; //~ in slice
    int y = 2; //~ in slice
    int z = 3; //~ not in slice
    int &other = y; //~ not in slice
    add(x, y); //~ in slice
    add(z, x); //~ not in slice
    other = 9; //~ not in slice
    putchar('0' + x); //~ in slice //~ origin: 5
    return 0;
}
