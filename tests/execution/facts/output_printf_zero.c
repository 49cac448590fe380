//~ criterion: output 1
// A number that is zero is asked about like any other: its digit is no filler.
#include <stdio.h>

int main(void) {
    int left = 3; //~ in slice
    int taken = 3; //~ in slice
    int other = 7; //~ not in slice
    int rest = left - taken; //~ in slice
    printf("%d %d\n", rest, other); //~ in slice
    return 0;
}
