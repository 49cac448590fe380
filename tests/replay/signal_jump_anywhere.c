//@ recorded-only-once: when the timer strikes is not the program's to say
// Handlers that jump away from any instruction: amid a block, between a call and its callee, in a callback's entry.
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static sigjmp_buf back;
static volatile long strikes, nested, jumps;
static long table[512];

static int compare(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return x < y ? -1 : x > y;
}

static void inner(int signal) {
    long few[6];
    for (int i = 0; i < 6; i++) few[i] = (strikes * 31 + i * 17) % 23;
    qsort(few, 6, sizeof *few, compare);
    table[0] += few[3];
    if (++nested % 2) siglongjmp(back, 2);
}

static void strike(int signal) {
    strikes++;
    for (int i = 0; i < 40; i++) table[(strikes + i) % 512] ^= strikes * i;
    if (strikes % 5 == 0) raise(SIGUSR1);
    if (strikes % 3 == 0) siglongjmp(back, 1);
}

static void handle(int signal, void (*function)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = function;
    action.sa_flags = SA_NODEFER;
    sigaction(signal, &action, 0);
}

int main(void) {
    handle(SIGALRM, strike);
    handle(SIGUSR1, inner);
    struct itimerval every = {{0, 250}, {0, 250}};
    setitimer(ITIMER_REAL, &every, 0);
    volatile long rounds = 0;
    if (sigsetjmp(back, 1)) jumps++;
    long numbers[64];
    while (strikes < 900) {
        rounds++;
        for (int i = 0; i < 64; i++) numbers[i] = (rounds * 7919 + i * 104729) % 1009;
        qsort(numbers, 64, sizeof *numbers, compare);
        for (int i = 0; i < 64; i++) table[i * 8] += numbers[i] ^ table[i];
    }
    every = (struct itimerval){{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &every, 0);
    return jumps > 0 && rounds > 0 ? 0 : 1;
}
