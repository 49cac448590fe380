//~ criterion: output 1
#include <stdio.h>

static int weigh(int kind) {
    int weight = 0; //~ not in slice
    switch (kind) { //~ controls: 8 9 11 13 14 15 17 //~ in slice
    case 1:
        weight = 7; //~ not in slice
        break;
    case 2:
        weight = 3; //~ in slice
    case 3:
        weight += 2; //~ in slice //~ origin: 11
        kind = 0; //~ not in slice
        break;
    default:
        weight = 9; //~ not in slice
    }
    return weight; //~ in slice //~ origin: 13
}

int main(void) {
    int kind = 2; //~ in slice
    putchar('0' + weigh(kind)); //~ in slice
    return 0;
}
