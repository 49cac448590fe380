// setjmp and longjmp: loops, nesting, changed locals, out of callbacks, from deep below.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf outer, other;
static int depth;

static void dive(int n) {
    depth++;
    if (n == 0) longjmp(outer, depth);
    dive(n - 1);
}

static int jumping(const void *a, const void *b) {
    if (*(const int *)a == 5 || *(const int *)b == 5) longjmp(other, 55);
    return *(const int *)a - *(const int *)b;
}

static int retry(void) {
    volatile int tries = 0;
    int plain = 3;
    int *escaped = &plain;
    jmp_buf here;
    int code = setjmp(here);
    if (code == 0) *escaped = 10;
    tries++;
    if (tries < 4) longjmp(here, tries);
    return tries * 100 + code * 10 + *escaped;
}

static int nested(void) {
    jmp_buf a, b;
    volatile int path = 0;
    if (setjmp(a) == 0) {
        if (setjmp(b) == 0) {
            path = path * 10 + 1;
            longjmp(b, 1);
        }
        path = path * 10 + 2;
        longjmp(a, 1);
    }
    return path * 10 + 3;
}

int main(void) {
    int code = setjmp(outer);
    printf("%d %d\n", code, depth);
    if (code == 0) dive(50);
    if (code == 51) {
        depth = 0;
        dive(10);
    }
    int numbers[] = {9, 3, 7, 5, 1, 8};
    switch (setjmp(other)) {
    case 0: qsort(numbers, 6, sizeof *numbers, jumping); puts("not reached"); break;
    case 55: puts("out of qsort"); break;
    }
    printf("%d %d\n", retry(), nested());
    for (volatile int i = 0; i < 1000; i++) {
        jmp_buf often;
        if (setjmp(often) == 0) longjmp(often, i);
    }
    if (setjmp(outer) == 0) longjmp(outer, 0);
    puts("done");
    return 0;
}
