//~ criterion: output 1
#include <cstdio>

static int passed;

static void inner(int code) {
    if (code) //~ controls: 8 9 10 //~ in slice
        throw code; //~ in slice
    passed = 1; //~ not in slice
}

static void middle(int code) {
    inner(code * 2); //~ in slice
    passed = 2; //~ not in slice
}

int main() {
    int before = 1; //~ not in slice
    int x = 0; //~ not in slice
    try {
        middle(3); //~ in slice
        x = before; //~ not in slice
    } catch (int code) {
        x = code; //~ in slice
    }
    putchar('0' + x); //~ in slice //~ origin: 24
    return 0;
}
