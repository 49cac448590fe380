//~ criterion: output 1
#include <stdio.h>

int main(void) {
    int a = 1; //~ not in slice
    int b = 2; //~ in slice
    int c;
    c = (a++, b++, b + 1); //~ in slice
    for (int i = 0, j = 9; i < 2; i++, j--) //~ controls: 9 10 //~ not in slice
        a = j; //~ not in slice //~ origin: 9
    putchar('0' + c); //~ in slice //~ origin: 8
    printf("%d\n", a); //~ not in slice
    return 0;
}
