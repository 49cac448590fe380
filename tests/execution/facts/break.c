//~ criterion: output 1
// With a break in it, a loop's next turn depends on the break's condition.
#include <stdio.h>

int main(void) {
    int sum = 0; //~ in slice
    int limit = 3; //~ in slice
    for (int i = 1; i < 10; i++) { //~ controls: 9 //~ in slice
        if (i == limit) //~ controls: 8 10 11 //~ in slice
            break;
        sum += i; //~ in slice
    }
    putchar('0' + sum); //~ in slice //~ origin: 11
    return 0;
}
