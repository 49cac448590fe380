//~ criterion: missing output
// The loop ended too early: why it did is the question.
#include <stdio.h>

int main(void) {
    int count = 3; //~ in slice
    int other = 1; //~ not in slice
    count--; //~ in slice
    for (int i = 0; i < count; i++) //~ controls: 9 10 //~ in slice //~ origin: 8 9
        putchar('a' + i); //~ not in slice
    other++; //~ not in slice
    return 0;
}
