//~ criterion: output 1
#include <stdio.h>

static int depth;

static int factorial(int n) {
    depth++; //~ not in slice
    if (n <= 1) //~ controls: 9 10 //~ in slice
        return 1; //~ in slice
    return n * factorial(n - 1); //~ in slice
}

int main(void) {
    int n = 3; //~ in slice
    putchar('0' + factorial(n)); //~ in slice
    printf("%d\n", depth); //~ not in slice
    return 0;
}
