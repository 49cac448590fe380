//~ criterion: output 2
#include <stdio.h>

int main(void) {
    char a = 'a'; //~ not in slice
    char b = 'b'; //~ in slice
    char c = 'c'; //~ not in slice
    putchar(a); //~ not in slice
    putchar(b); //~ in slice //~ origin: 6
    putchar(c); //~ not in slice
    return 0;
}
