//@ flags: -pthread
//@ recorded-only-once: the threads race on purpose
// Threads that share memory without locks: each thread's own log makes its replay exact nevertheless.
#include <pthread.h>
#include <stdio.h>

static volatile long counter;
static volatile int turn;
static long table[256];

static void *race(void *argument) {
    long id = (long)argument, seen = 0;
    for (int i = 0; i < 20000; i++) {
        counter = counter + 1;
        table[(counter + id) & 255] ^= counter;
        seen += table[i & 255];
        if (turn == id) turn = (turn + 1) % 3;
    }
    return (void *)seen;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, race, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    return counter > 0 ? 0 : 1;
}
