//~ criterion: output 1
// Every turn of a loop depends on the turn before having gone on.
#include <stdio.h>

int main(void) {
    int sum = 0; //~ in slice
    int product = 1; //~ not in slice
    for (int i = 1; i < 4; i++) { //~ controls: 8 9 10 //~ in slice
        sum += i; //~ in slice //~ origin: 8 9
        product *= i; //~ not in slice //~ origin: 8 10
    }
    putchar('0' + sum); //~ in slice //~ origin: 9
    printf("%d\n", product); //~ not in slice
    return 0;
}
