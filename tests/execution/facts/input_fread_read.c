//@ input: parts/numbers.txt
//~ criterion: output 1
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char first[4];
    char second[4];
    char third[4];
    setvbuf(stdin, NULL, _IONBF, 0);
    long a = fread(first, 1, 2, stdin); //~ not in slice
    long b = read(0, second, 2); //~ in slice
    long c = fread(third, 1, 2, stdin); //~ not in slice
    putchar(second[1]); //~ in slice //~ origin: 12
    printf("%ld%ld%ld %c%c\n", a, b, c, first[0], third[0]); //~ not in slice
    return 0;
}
