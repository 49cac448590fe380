//@ ends: signal 6
//~ criterion: failure
#include <stdlib.h>

int main(void) {
    int state = 0; //~ not in slice
    int errors = 0; //~ in slice
    for (int i = 0; i < 3; i++) { //~ controls: 8 9 11 //~ in slice
        if (i == 1) //~ controls: 10 //~ in slice
            errors++; //~ in slice
        state = i; //~ not in slice
    }
    if (errors) //~ controls: 14 15 //~ in slice //~ origin: 10
        abort();
    return state; //~ not in slice
}
