//@ ends: exit 7
// A handler on its own stack, after the program's stack has run out.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char room[65536];
static int deepest;

static void overflowed(int signal) {
    static const char text[] = "overflow\n";
    write(1, text, sizeof text - 1);
    _exit(deepest > 1000 ? 7 : 8);
}

static int dive(int n, char *above) {
    char mine[100];
    memset(mine, n, sizeof mine);
    deepest = n;
    return dive(n + 1, mine) + mine[above[3] & 31];
}

int main(void) {
    struct rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_STACK, &limit);
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    sigaltstack(&stack, 0);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = overflowed;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGSEGV, &action, 0);
    char top[100] = {0};
    return dive(0, top);
}
