// Stacks of the program's own: switched to and fro, left by returning, by setcontext, deep inside calls, never.
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { COUNT = 12, SIZE = 32768 };
static ucontext_t home, contexts[COUNT];
static char *stacks[COUNT];
static int sum;

static void yield(int i) { swapcontext(&contexts[i], &home); }
static void worker(int i, int rounds) {
    char name[16];
    snprintf(name, sizeof name, "worker %d", i);
    for (int round = 0; round < rounds; round++) {
        sum += i * round;
        printf("%s: %d %d\n", name, round, sum);
        yield(i);
    }
    if (i == 1) setcontext(&home);
}
static int descend(int n) {
    if (n == 0) {
        yield(5);
        return 1;
    }
    return 1 + descend(n - 1);
}
static void deep(int n) { sum += descend(n); }

static void make(int i, ucontext_t *link, void (*function)(void), int a, int b) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = stacks[i];
    contexts[i].uc_stack.ss_size = SIZE;
    contexts[i].uc_link = link;
    makecontext(&contexts[i], function, 2, a, b);
}

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        stacks[i] = malloc(SIZE);
        if (i == 5) make(i, &home, (void (*)(void))deep, 12, 0);
        else make(i, &home, (void (*)(void))worker, i, 3);
    }
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < COUNT; i++) {
            if (i == 5 && round > 1) continue;
            swapcontext(&home, &contexts[i]);
        }
    }
    printf("%d\n", sum);
    fflush(stdout);
    make(0, NULL, (void (*)(void))worker, 0, 0);
    setcontext(&contexts[0]);
    return 3;
}
