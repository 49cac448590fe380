//~ criterion: output 1
// `a && b` as a value is made by the choice it stands for.
#include <stdio.h>

int main(void) {
    int a = 3; //~ in slice
    int b = 4; //~ in slice
    int c = 0; //~ not in slice
    int both = a && b; //~ controls: 9 //~ in slice
    int any = c || b; //~ not in slice
    putchar('0' + both); //~ in slice //~ origin: 9
    printf("%d\n", any); //~ not in slice
    return 0;
}
