//@ input: parts/numbers.txt
//~ criterion: output 1
// getline uses and changes what its arguments point to.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = NULL; //~ in slice
    size_t size = 0; //~ in slice
    int other = 1; //~ not in slice
    long length = getline(&line, &size, stdin); //~ in slice
    putchar(line[2]); //~ in slice //~ origin: 11
    printf("%ld %d\n", length, other); //~ not in slice
    free(line); //~ not in slice
    return 0;
}
