//~ criterion: output 1
// The value of the second return of setjmp is made by longjmp, which also is why it returned.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;
static int ignored;

static void fail(int code) {
    ignored = 1; //~ not in slice
    if (code > 2) //~ controls: 12 13 14 //~ in slice
        longjmp(place, code); //~ in slice
    ignored = 2; //~ not in slice
}

int main(void) {
    int code = 5; //~ in slice
    int result = setjmp(place); //~ in slice
    if (result == 0) //~ controls: 20 22 //~ in slice
        fail(code); //~ in slice
    else
        putchar('0' + result); //~ in slice //~ origin: 18
    return 0;
}
