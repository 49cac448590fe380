// What a shared library may have: constructors, destructors, large thread-local memory, callbacks, a function that others
// may stand in for, jumps.
#include "library.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int library_counter = 3;
static __thread char large[4096];

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

__attribute__((constructor)) static void loaded(void) {
    library_counter += 4;
    puts("loaded");
}
__attribute__((destructor)) static void unloaded(void) {
    printf("unloaded %d\n", library_counter);
    fflush(stdout);
}

int twice(int x, int (*back)(int)) {
    int numbers[] = {5, 3, x, 1, 2};
    qsort(numbers, 5, sizeof *numbers, compare);
    snprintf(large, sizeof large, "library %d %s", numbers[2] + library_counter++, "text");
    puts(large);
    return 2 * back(x) + (int)strlen(large);
}
int named(void) { return 1; }
int calls_named(void) { return named() * 10; }

static jmp_buf start;
static void fail(int x) {
    if (x > 2) longjmp(start, x);
}
int recover(int x) {
    int code = setjmp(start);
    if (code == 0) fail(x);
    return code;
}
