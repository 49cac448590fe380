//~ criterion: output 1
#include <stdio.h>
#include <string.h>

int main(void) {
    char block[64];
    char fill = 'f'; //~ in slice
    block[7] = 'x'; //~ not in slice
    memset(block, fill, 32); //~ in slice
    block[8] = 'y'; //~ not in slice
    memset(block + 32, 'z', 32); //~ not in slice
    putchar(block[7]); //~ in slice
    putchar(block[40]); //~ not in slice
    return 0;
}
