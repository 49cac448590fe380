//~ criterion: output 1
// Members of a union share their bytes; the last to write them counts.
#include <stdio.h>

union word { unsigned number; unsigned char bytes[4]; };

int main(void) {
    union word w;
    w.number = 0x01020304; //~ not in slice
    w.bytes[1] = 7; //~ in slice
    w.bytes[2] = 8; //~ not in slice
    putchar('0' + w.bytes[1]); //~ in slice //~ origin: 10
    printf("%d\n", w.bytes[0]); //~ not in slice //~ origin: 9
    return 0;
}
