//~ criterion: output 1
#include <stdio.h>

int main(void) {
    int a = 1; //~ in slice
    int b = 2; //~ in slice
    int c = 3; //~ not in slice
    int x = 0; //~ not in slice
    if (a) { //~ controls: 10 16 //~ in slice
        if (b > 1) { //~ controls: 11 13 //~ in slice
            if (c == 4) //~ controls: 12 //~ not in slice
                x = 3; //~ not in slice
            x = 2; //~ in slice
        }
    } else {
        x = 9; //~ not in slice
    }
    putchar('0' + x); //~ in slice //~ origin: 13
    return 0;
}
