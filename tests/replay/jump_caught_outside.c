//@ outside: parts/guard.c
// Code that is not instrumented calls setjmp, and jumps back over functions that it had called.
#include <stdio.h>

int guarded(int (*f)(int), int x);
void give_up(void);

static int inner(int x) {
    printf("inner %d\n", x);
    if (x > 1) give_up();
    return x * 2;
}
static int outer(int x) {
    int result = guarded(inner, x);
    printf("result %d\n", result);
    if (x == 3) give_up();
    return result + inner(0);
}

int main(void) {
    for (int i = 0; i < 5; i++) printf("%d\n", guarded(outer, i));
    return 0;
}
