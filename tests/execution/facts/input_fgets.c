//@ input: parts/numbers.txt
//~ criterion: output 1
#include <stdio.h>

int main(void) {
    char first[32];
    char second[32];
    int room = sizeof second; //~ in slice
    fgets(first, sizeof first, stdin); //~ not in slice
    fgets(second, room, stdin); //~ in slice
    second[1] = 'x'; //~ not in slice
    putchar(second[2]); //~ in slice //~ origin: 10
    putchar(first[0]); //~ not in slice
    return 0;
}
