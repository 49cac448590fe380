//~ criterion: output 1
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *wanted, const void *here) {
    return *(const int *)wanted - *(const int *)here; //~ in slice
}

int main(void) {
    int sorted[4];
    sorted[0] = 2; //~ not in slice
    sorted[1] = 3;
    sorted[2] = 5; //~ in slice
    sorted[3] = 8;
    int wanted = 5; //~ in slice
    int *found = bsearch(&wanted, sorted, 4, sizeof sorted[0], compare); //~ in slice
    putchar('0' + *found); //~ in slice
    return 0;
}
