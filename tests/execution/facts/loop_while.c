//~ criterion: output 1
#include <stdio.h>

int main(void) {
    int n = 12; //~ in slice
    int digits = 0; //~ in slice
    int seen = 0; //~ not in slice
    while (n > 0) { //~ controls: 8 9 10 11 //~ in slice
        n /= 10; //~ in slice
        digits++; //~ in slice
        seen = n; //~ not in slice
    }
    putchar('0' + digits); //~ in slice //~ origin: 10
    printf(" %d\n", seen); //~ not in slice
    return 0;
}
