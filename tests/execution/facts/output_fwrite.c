//~ criterion: output 2
// Only the byte of the block that is asked about.
#include <stdio.h>

int main(void) {
    char block[3];
    block[0] = 'a'; //~ not in slice
    block[1] = 'b'; //~ in slice
    block[2] = 'c'; //~ not in slice
    int size = 3; //~ not in slice
    fwrite(block, 1, size, stdout);
    return 0;
}
