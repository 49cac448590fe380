//~ criterion: output 1
// The condition of a loop without turns decided nothing that was executed.
#include <stdio.h>

int main(void) {
    int x = 5; //~ in slice
    int n = 0; //~ not in slice
    while (n > 0) { //~ controls: 8 9 10 //~ not in slice
        x = n; //~ not in slice
        n--; //~ not in slice
    }
    putchar('0' + x); //~ in slice //~ origin: 6
    return 0;
}
