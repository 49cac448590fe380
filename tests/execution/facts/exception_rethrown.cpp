//~ criterion: output 1
#include <cstdio>

static int log_;

static void first(int code) {
    throw code; //~ in slice
}

static void second(int code) {
    try {
        first(code + 1); //~ in slice
    } catch (int) {
        log_ = 1; //~ not in slice
        throw; //~ in slice
    }
}

int main() {
    int code = 6; //~ in slice
    try {
        second(code); //~ in slice
    } catch (int caught) {
        putchar('0' + caught); //~ in slice
    }
    printf("%d\n", log_); //~ not in slice
    return 0;
}
