//@ ends: signal 6
//~ criterion: failure
// Why it was called is the question: what the condition depends on.
#include <assert.h>

static int other;

static int decrease(int n) {
    return n - 3; //~ in slice
}

int main(void) {
    int balance = 2; //~ in slice
    other = 4; //~ not in slice
    balance = decrease(balance); //~ in slice
    assert(balance >= 0); //~ in slice
    return other; //~ not in slice
}
