//~ criterion: output 6
// The second line, first byte.
#include <stdio.h>
#include <string.h>

int main(void) {
    char first[8];
    char second[8];
    strcpy(first, "abcd"); //~ not in slice
    strcpy(second, "xyz"); //~ in slice
    second[2] = '!';
    puts(first); //~ not in slice
    puts(second); //~ in slice
    return 0;
}
