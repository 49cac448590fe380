//@ input: parts/numbers.txt
//~ criterion: output 1
#include <stdio.h>
// What a call of scanf writes, its format tells; and its result, how much of that.
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
