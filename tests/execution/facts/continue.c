//~ criterion: output 1
// What follows a continue depends on its condition, the next turn does not.
#include <stdio.h>

int main(void) {
    int sum = 0; //~ in slice
    int skipped = 0; //~ not in slice
    for (int i = 1; i < 4; i++) { //~ controls: 8 9 //~ in slice
        if (i == 2) { //~ controls: 10 11 13 //~ in slice
            skipped = i; //~ not in slice
            continue;
        }
        sum += i; //~ in slice
    }
    putchar('0' + sum); //~ in slice //~ origin: 13
    printf("%d\n", skipped); //~ not in slice //~ origin: 10
    return 0;
}
