// Code before and after main, in the order of its priority.
#include <stdio.h>
#include <stdlib.h>

static int count;
__attribute__((constructor(202))) static void second(void) { printf("second %d\n", ++count); }
__attribute__((constructor(201))) static void first(void) { printf("first %d\n", ++count); }
__attribute__((constructor)) static void third(int argc, char **argv, char **environment) {
    printf("third %d %d %d\n", ++count, argc, environment[0] != 0);
}
__attribute__((destructor(201))) static void last(void) { printf("last %d\n", ++count); }
__attribute__((destructor)) static void before_last(void) { printf("before last %d\n", ++count); }
static void registered(void) { printf("registered %d\n", ++count); }

int main(void) {
    atexit(registered);
    printf("main %d\n", ++count);
    return 0;
}
