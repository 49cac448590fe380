//@ ends: signal 9
// Killed from outside, without a chance to say goodbye.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static long work(long x) {
    for (int i = 0; i < 100000; i++) x = x * 31 + i;
    return x;
}

int main(void) {
    printf("%ld\n", work(5));
    fflush(stdout);
    work(6);
    kill(getpid(), SIGKILL);
    return 0;
}
