//~ criterion: output 1
#include <stdio.h>

int main(void) {
    char text[16];
    int left = 4; //~ in slice
    int right = 2; //~ not in slice
    text[0] = 'z'; //~ not in slice
    int length = sprintf(text, "%d-%d", left, right); //~ in slice
    putchar(text[0]); //~ in slice //~ origin: 6
    putchar('0' + length); //~ not in slice
    return 0;
}
