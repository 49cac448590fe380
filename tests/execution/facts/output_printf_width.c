//~ criterion: output 5
// The width decides where a number stands.
#include <stdio.h>

int main(void) {
    int width = 5; //~ in slice
    int number = 7; //~ in slice
    int later = 9; //~ not in slice
    printf("%*d\n", width, number); //~ in slice //~ origin: 6 7
    printf("%d\n", later); //~ not in slice
    return 0;
}
