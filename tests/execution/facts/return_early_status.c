//@ ends: exit 2
//~ criterion: failure
// Of several returns, the one taken, and why.
#include <stdio.h>

int main(void) {
    int a = 1; //~ in slice
    int b = 2; //~ in slice
    int c = 3; //~ not in slice
    if (a == 2) //~ controls: 11 12 //~ in slice
        return 1; //~ not in slice
    if (b == 2) //~ controls: 13 14 15 //~ in slice
        return 2; //~ in slice
    printf("%d\n", c); //~ not in slice
    return 3; //~ not in slice
}
