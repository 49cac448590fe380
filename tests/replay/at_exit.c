//@ ends: exit 3
// Functions run at exit, last registered first, some registering others, exit called inside a callback.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int count;
static void last(void) { printf("last %d\n", ++count); }
static void adds(void) {
    printf("adds %d\n", ++count);
    atexit(last);
}
static void with_status(int status, void *argument) { printf("status %d %s %d\n", status, (char *)argument, ++count); }
static int leaving(const void *a, const void *b) {
    if (++count > 3) exit(3);
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    atexit(last);
    on_exit(with_status, "argument");
    atexit(adds);
    int numbers[] = {5, 2, 8, 1, 9, 3};
    qsort(numbers, 6, sizeof *numbers, leaving);
    return 0;
}
