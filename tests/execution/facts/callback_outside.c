//@ outside: parts/outside_caller.c
//~ criterion: output 1
// Code that is not instrumented calls back: what it does between is not seen, but that it was given the function is.
#include <stdio.h>

void outside_each(int *numbers, int count, void (*f)(int *));

static int step;

static void raise_one(int *number) {
    *number += step; //~ in slice
}

int main(void) {
    int numbers[2];
    step = 3; //~ in slice
    numbers[0] = 1; //~ not in slice
    numbers[1] = 2; //~ in slice
    int other = 8; //~ not in slice
    outside_each(numbers, 2, raise_one); //~ in slice
    putchar('0' + numbers[1]); //~ in slice //~ origin: 11
    printf("%d\n", other); //~ not in slice
    return 0;
}
