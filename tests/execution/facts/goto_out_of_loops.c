//~ criterion: output 1
// The condition of a goto out of both loops decides the next turn of both.
#include <stdio.h>

int main(void) {
    int count = 0; //~ in slice
    for (int i = 0; i < 3; i++) { //~ controls: 8 //~ in slice
        for (int j = 0; j < 3; j++) { //~ controls: 7 9 //~ in slice
            if (i + j == 3) //~ controls: 8 10 11 //~ in slice
                goto found;
            count++; //~ in slice
        }
    }
found:
    putchar('0' + count); //~ in slice //~ origin: 11
    return 0;
}
