//@ input: parts/numbers.txt
//~ criterion: output 1
// Each byte of the input comes from the call that read it.
#include <stdio.h>

int main(void) {
    int a = getchar(); //~ in slice
    int b = getchar(); //~ not in slice
    int c = fgetc(stdin); //~ in slice
    int d = getc(stdin); //~ not in slice
    putchar(a + c - '0'); //~ in slice //~ origin: 7 9
    printf("%d %d\n", b, d); //~ not in slice
    return 0;
}
