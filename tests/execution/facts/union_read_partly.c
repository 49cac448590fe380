//~ criterion: output 1
// A number read from bytes that two assignments wrote comes from both.
#include <stdio.h>

union word { unsigned number; unsigned char bytes[4]; };

int main(void) {
    union word w;
    w.bytes[3] = 1; //~ not in slice
    w.number = 0; //~ in slice
    w.bytes[0] = 6; //~ in slice
    unsigned x = w.number; //~ in slice //~ origin: 10 11
    putchar('0' + x); //~ in slice //~ origin: 12
    return 0;
}
