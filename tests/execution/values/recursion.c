#include <stdio.h>

static int factorial(int n) {
    if (n <= 1) //~ values n: 4 3 2 1
        return 1;
    int rest = factorial(n - 1); //~ values n: 4 3 2 //~ values after rest: 6 2 1
    return n * rest; //~ values n: 2 3 4 //~ values rest: 1 2 6
}

int main(void) {
    printf("%d\n", factorial(4));
    return 0;
}
