//@ input: parts/numbers.txt
//~ criterion: output 1
#include <stdio.h>
// Not solved: a second scanf is taken to have written what stands behind its own variables, too.
int main(void) {
    int a = 0; //~ not in slice
    int b = 0; //~ not in slice
    int c = 0; //~ not in slice
    scanf("%d", &a); //~ not in slice
    int count = scanf("%d %d", &b, &c); //~ in slice
    putchar('0' + b - c + 5); //~ in slice //~ origin: 10
    printf("%d %d\n", a, count); //~ not in slice //~ origin: 9 10
    return 0;
}
