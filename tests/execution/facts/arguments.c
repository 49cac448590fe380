//@ arguments: 3 4
//~ criterion: output 1
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int first = atoi(argv[1]); //~ not in slice
    int second = atoi(argv[2]); //~ in slice
    int at = argc - 1; //~ not in slice
    putchar('0' + second); //~ in slice //~ origin: 8
    printf("%d %d\n", first, at); //~ not in slice
    return 0;
}
