//@ ends: signal 8
//~ criterion: failure
#include <stdio.h>

int main(void) {
    int total = 12; //~ in slice
    int count = 2; //~ in slice
    int other = 1; //~ not in slice
    for (int i = 0; i < 2; i++) //~ controls: 9 10 //~ in slice
        count--; //~ in slice
    int mean = total / count; //~ in slice
    printf("%d %d\n", mean, other); //~ not in slice
    return 0;
}
