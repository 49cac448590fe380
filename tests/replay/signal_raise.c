// Signals the program sends itself: handlers with and without context, masks, nesting, one-shot, ignored.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t count, nested;
static int table[64];

static void simple(int signal) {
    table[signal] += ++count;
    if (signal == SIGUSR1 && nested++ < 3) raise(SIGUSR2);
}
static void with_context(int signal, siginfo_t *about, void *context) {
    count += about->si_signo == signal && context != 0;
    if (about->si_code == SI_QUEUE) count += about->si_value.sival_int;
}

int main(void) {
    signal(SIGUSR1, simple);
    signal(SIGUSR2, simple);
    for (int i = 0; i < 5; i++) {
        raise(SIGUSR1);
        table[0] += count;
    }
    printf("%d %d %d %d\n", count, table[0], table[SIGUSR1], table[SIGUSR2]);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = with_context;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    sigaction(SIGTERM, &action, 0);
    kill(getpid(), SIGTERM);
    sigaction(SIGTERM, 0, &action);
    printf("%d %d\n", count, action.sa_handler == SIG_DFL);
    action.sa_sigaction = with_context;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGRTMIN, &action, 0);
    sigset_t mask, old;
    sigemptyset(&mask);
    sigaddset(&mask, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &mask, &old);
    for (int i = 1; i < 4; i++) sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i * 100});
    printf("%d ", count);
    sigprocmask(SIG_SETMASK, &old, 0);
    printf("%d\n", count);
    signal(SIGPIPE, SIG_IGN);
    raise(SIGPIPE);
    puts("done");
    return 0;
}
