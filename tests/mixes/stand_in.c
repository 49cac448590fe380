// Loaded before all others: stands in for a function of the library, and calls it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int named(void) {
    int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "named");
    printf("stand-in for %d\n", next());
    return next() + 5;
}
