//@ recorded-only-once: time, process ids and random numbers differ from run to run
// Values that no second run would see again.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

int main(void) {
    unsigned hash = (unsigned)getpid();
    for (int i = 0; i < 200; i++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint32_t chance;
        getrandom(&chance, sizeof chance, 0);
        hash = hash * 31 + (unsigned)now.tv_nsec + chance + (unsigned)__rdtsc() + (unsigned)(uintptr_t)malloc(10);
        if (hash & 1) hash ^= (unsigned)time(0);
        else hash += (unsigned)rand();
    }
    printf("%u %p\n", hash, (void *)&hash);
    return 0;
}
