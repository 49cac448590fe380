//~ criterion: output 1
// Two names for one element.
#include <stdio.h>

int main(void) {
    int numbers[4] = {0}; //~ not in slice
    int *middle = &numbers[2]; //~ in slice
    int i = 1; //~ in slice
    numbers[3] = 5; //~ not in slice
    middle[i] = 8; //~ in slice
    numbers[2] = 4; //~ not in slice
    putchar('0' + numbers[3]); //~ in slice //~ origin: 10
    return 0;
}
