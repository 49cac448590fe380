//@ recorded-only-once: when the timer strikes is not the program's to say
// A timer interrupts computation at any instruction.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

static volatile int ticks;
static long history[64];
static long state = 1;

static long step(long x) { return (x * 6364136223846793005L + 1442695040888963407L) ^ (x >> 13); }

static void tick(int signal) {
    long local[8];
    for (int i = 0; i < 8; i++) local[i] = step(ticks + i);
    history[ticks & 63] = local[ticks & 7];
    ticks++;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = tick;
    sigaction(SIGALRM, &action, 0);
    struct itimerval every = {{0, 700}, {0, 700}};
    setitimer(ITIMER_REAL, &every, 0);
    long rounds = 0;
    while (ticks < 60) {
        for (int i = 0; i < 1000; i++) state = step(state) + history[i & 63] % 2;
        rounds++;
    }
    every = (struct itimerval){{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &every, 0);
    return ticks >= 60 && rounds > 0 ? 0 : 1;
}
