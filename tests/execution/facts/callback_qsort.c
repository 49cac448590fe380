//~ criterion: output 1
// Comparisons decide where things go; values come from where they were.
#include <stdio.h>
#include <stdlib.h>

static int calls;

static int ascending(const void *a, const void *b) {
    calls++; //~ not in slice
    return *(const int *)a - *(const int *)b; //~ in slice
}

int main(void) {
    int numbers[3];
    int unrelated = 5; //~ not in slice
    numbers[0] = 9; //~ in slice
    numbers[1] = 4; //~ in slice
    numbers[2] = 7; //~ in slice
    qsort(numbers, 3, sizeof numbers[0], ascending); //~ in slice
    putchar('0' + numbers[0]); //~ in slice
    printf("%d %d\n", calls, unrelated); //~ not in slice
    return 0;
}
