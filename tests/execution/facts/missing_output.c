//~ criterion: missing output
// The last choice that went by code that writes.
#include <stdio.h>

int main(void) {
    int lines = 2; //~ not in slice
    int verbose = 1; //~ in slice
    verbose--; //~ in slice
    for (int i = 0; i < lines; i++) //~ controls: 9 10 //~ not in slice
        putchar('.'); //~ not in slice
    if (verbose) //~ controls: 12 //~ in slice //~ origin: 8
        puts("done"); //~ not in slice
    return 0;
}
