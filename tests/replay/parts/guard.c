#include <setjmp.h>

static jmp_buf *innermost;

int guarded(int (*f)(int), int x) {
    jmp_buf here, *outer = innermost;
    innermost = &here;
    int result = setjmp(here) ? -1 : f(x);
    innermost = outer;
    return result;
}
void give_up(void) { longjmp(*innermost, 1); }
