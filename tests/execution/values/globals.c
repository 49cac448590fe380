//@ with: parts/globals_other.c
#include <stdio.h>

int counter = 40;
static const char *names[] = {"ann", "bob"};
const double ratio = 0.25;
extern int elsewhere;
int *pointer = &counter;
int (*compare)(void);
_Thread_local int own = 1;
int advance(void);

static int next(void) {
    static int calls = 7;
    static struct { int last; } memory;
    calls++; //~ values calls: 7 8 9
    memory.last = calls; //~ values memory.last: 0 8 9
    own += calls;
    return calls + own; //~ values own: 9 18 28
}

int main(void) {
    counter++; //~ values counter: 40 //~ values pointer: &counter //~ values *pointer: 40 //~ values compare: NULL
    compare = next;
    next(); //~ values compare: &next //~ values names: {"ann", "bob"} //~ values names[1][0]: 'b' //~ values ratio: 0.25
    next();
    int last = next() + advance() + elsewhere; //~ values elsewhere: 3
    printf("%d %s\n", last, names[0]); //~ values elsewhere: 4 //~ values counter: 41 //~ values pointer: &counter
    return 0;
}
