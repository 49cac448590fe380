//@ ends: exit 3
//~ criterion: failure
#include <stdio.h>
#include <stdlib.h>

static void finish(int code) {
    if (code > 2) //~ controls: 8 9 10 //~ in slice
        exit(code); //~ in slice
    puts("fine"); //~ not in slice
}

int main(void) {
    int code = 1; //~ in slice
    int other = 9; //~ not in slice
    code += 2; //~ in slice
    finish(code); //~ in slice
    return other; //~ not in slice
}
