//~ criterion: output 1
// The first turn of a do loop depends on nothing, the second on the condition.
#include <stdio.h>

int main(void) {
    int n = 3; //~ in slice
    int turns = 0; //~ in slice
    do {
        turns++; //~ in slice
        n--; //~ in slice
    } while (n > 0); //~ controls: 9 10 11 //~ in slice //~ origin: 10
    putchar('0' + turns); //~ in slice //~ origin: 9
    return 0;
}
