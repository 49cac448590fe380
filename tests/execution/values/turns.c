// What counts as one execution of a line.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;

static int add(int a,
               int b) {
    if (b > 100)
        longjmp(place, b); //~ values after b: 101
    return a + b;
}

int main(void) {
    int s = 0, i;
    for (i = 0; i < 3; i++) s += i; //~ values s: 0 0 1 3 //~ values i: ? 1 2 3
    s = add(s, //~ values s: 3 //~ values after s: 103
            100);
    do s -= 60; while (s > 0); //~ values s: 103 43
    if (setjmp(place) == 0) //~ values s: -17 -17
        s = add(s, 101); //~ values s: -17
    else
        s = 5; //~ values s: -17
    printf("%d\n", s); //~ values s: 5
    return 0;
}
