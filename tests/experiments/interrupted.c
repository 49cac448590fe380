/* What a plan must keep apart: handlers that come in the middle of code (some return, some jump away), another thread, twins
   of library functions; and stores, branches and switches of unusual widths. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static char *closed;
static sigjmp_buf back;
static int opened, jumped;
static volatile int zero, weight;

static struct {
    unsigned twenty : 20;
} __attribute__((packed)) narrow;

/* Branches as many times as code does that a word of outcomes is meant for. */
static void opens(int number) {
    for (int i = 0; i < 3; i++)
        if (number == SIGSEGV && i != 1)
            opened += i;
    mprotect(closed, 4096, PROT_READ | PROT_WRITE);
}

static void jumps(int number) {
    for (int i = 0; i < 2; i++)
        jumped += number == SIGFPE;
    siglongjmp(back, 1);
}

static void *beside(void *given) {
    int sum = 0;
    for (int i = 0; i < *(int *)given; i++)
        if (i % 3)
            sum += i;
    *(int *)given = sum;
    return NULL;
}

static int weigh(long long what, char letter) {
    switch (what) {
    case -1: return 1;
    case 1LL << 40: return 2;
    }
    switch (letter) {
    case 'a': return 3;
    case 'z': return 4;
    default: return 5;
    }
}

int main(void) {
    signal(SIGSEGV, opens);
    signal(SIGFPE, jumps);
    closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char copy[16];
    int sum = 0, shared = 10;
    for (int i = 0; i < 6; i++) {
        memcpy(copy, "letters", 8);
        if (i % 2)
            weight = weigh(i == 3 ? -1 : 1LL << (8 * i), copy[i]);
        narrow.twenty = narrow.twenty * 3 + i;
        sum += weight + (int)strlen(copy + i);
        if (i == 2)
            closed[i] = 7;
        if (i == 4 && !sigsetjmp(back, 1)) {
            sum += closed[2];
            weight = sum;
            sum = sum / zero;
        }
    }
    pthread_t thread;
    pthread_create(&thread, NULL, beside, &shared);
    pthread_join(thread, NULL);
    printf("%d %d %d %u %d\n", sum, opened, jumped, (unsigned)narrow.twenty, shared);
    return sum > 20;
}
