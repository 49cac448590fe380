//~ criterion: output 1
// Where a number ends is decided by its bytes.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char text[8];
    text[0] = '1'; //~ in slice
    text[1] = 'f'; //~ in slice
    text[2] = ';';
    text[3] = '7'; //~ in slice
    text[4] = 0;
    int base = 16; //~ in slice
    char *end;
    long first = strtol(text, &end, base); //~ in slice
    long second = strtol(end + 1, NULL, 10); //~ in slice
    putchar('0' + (int)second); //~ in slice //~ origin: 16
    printf("%ld\n", first); //~ not in slice
    return 0;
}
