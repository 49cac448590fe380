//~ criterion: output 1
#include <stdio.h>

static int is_odd(int n);

static int is_even(int n) {
    if (n == 0) //~ controls: 8 9 //~ in slice
        return 1; //~ not in slice
    return is_odd(n - 1); //~ in slice
}

static int is_odd(int n) {
    if (n == 0) //~ in slice
        return 0; //~ in slice
    return is_even(n - 1); //~ in slice
}

int main(void) {
    int n = 3; //~ in slice
    int even = is_even(n); //~ in slice
    putchar(even ? 'e' : 'o'); //~ in slice //~ origin: 20
    return 0;
}
