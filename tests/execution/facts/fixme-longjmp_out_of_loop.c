//~ criterion: output 1
// Not solved: the steps of a loop that longjmp left are not found.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;
static volatile int count;

static void search(int wanted) {
    for (int i = 0;; i++) { //~ in slice
        count = i; //~ in slice
        if (i == wanted) //~ controls: 13 //~ in slice
            longjmp(place, 1); //~ in slice
    }
}

int main(void) {
    int wanted = 4; //~ in slice
    int unrelated = 1; //~ not in slice
    if (setjmp(place) == 0) //~ controls: 21 23 //~ in slice
        search(wanted); //~ in slice
    else
        putchar('0' + count); //~ in slice //~ origin: 11
    printf("%d\n", unrelated); //~ not in slice
    return 0;
}
