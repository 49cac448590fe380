//~ criterion: output 1
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[8];
    text[0] = 'a'; //~ not in slice
    text[1] = 'b'; //~ in slice
    text[2] = 'c'; //~ not in slice
    text[3] = 'd'; //~ not in slice
    memmove(text + 1, text, 3); //~ in slice
    putchar(text[2]); //~ in slice
    putchar(text[0]); //~ not in slice //~ origin: 7
    return 0;
}
