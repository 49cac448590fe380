//~ criterion: output 1
// Destructors run when a scope is left by an exception.
#include <cstdio>

static int total;

struct Counter {
    int weight;
    int other;
    Counter(int w) : weight(w), other(w) {} //~ in slice
    ~Counter() {
        total += weight; //~ in slice
        other = 0; //~ not in slice
    }
};

static void leave() {
    Counter one(2); //~ in slice
    Counter two(3); //~ in slice
    throw 1; //~ in slice
}

int main() {
    try {
        leave(); //~ in slice
    } catch (int) {
        putchar('0' + total); //~ in slice //~ origin: 12
    }
    return 0;
}
