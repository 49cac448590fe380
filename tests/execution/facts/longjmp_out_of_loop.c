//~ criterion: output 1
// The loop ends by the jump only, so the choice in it decides whether there is another turn; that it jumps once is certain.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;
static volatile int count;

static void search(int wanted) {
    for (int i = 0;; i++) { //~ in slice
        count = i; //~ in slice
        if (i == wanted) //~ controls: 10 11 12 //~ in slice
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
