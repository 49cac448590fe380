//~ criterion: output 1
#include <stdio.h>

int main(void) {
    int which = 1; //~ in slice
    int yes = 6; //~ in slice
    int no = 7; //~ not in slice
    int x = which ? yes : no; //~ controls: 8 //~ in slice //~ origin: 6
    putchar('0' + x); //~ in slice //~ origin: 8
    return 0;
}
