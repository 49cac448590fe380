//~ criterion: output 1
// Bytes copied from an initialiser are as good as stored ones.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char text[4] = {'1', 0, 0, 0}; //~ in slice
    char other[4] = {'9', 0, 0, 0}; //~ not in slice
    text[1] = '2'; //~ in slice
    int x = atoi(text); //~ in slice
    int y = atoi(other); //~ not in slice
    putchar('0' + x / 4); //~ in slice //~ origin: 10
    printf("%d\n", y); //~ not in slice
    return 0;
}
