//~ criterion: output 1
#include <stdio.h>

int main(void) {
    int wrong = 3; //~ not in slice
    int right = 4; //~ in slice
    FILE *where = stdout; //~ in slice
    fprintf(stderr, "%d\n", wrong); //~ not in slice
    fprintf(where, "%d\n", right); //~ in slice
    return 0;
}
