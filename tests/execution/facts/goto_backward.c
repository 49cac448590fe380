//~ criterion: output 1
// A loop made of a label and a goto.
#include <stdio.h>

int main(void) {
    int i = 0; //~ in slice
    int sum = 0; //~ in slice
    int other = 0; //~ not in slice
again:
    sum += 2; //~ in slice
    other--; //~ not in slice
    i++; //~ in slice
    if (i < 4) //~ controls: 10 11 12 13 14 //~ in slice //~ origin: 12
        goto again;
    putchar('0' + sum); //~ in slice //~ origin: 10
    printf("%d\n", other); //~ not in slice
    return 0;
}
