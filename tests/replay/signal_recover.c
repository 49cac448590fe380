//@ flags: -pthread
// Ways back from faults of every kind: in a callee, a callback, a handler, a twin, the library, a thread, an overflown stack.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static sigjmp_buf back, inner;
static volatile int faults, depth;
static int *volatile nowhere = (int *)8;

static void on_fault(int signal) {
    faults++;
    siglongjmp(back, faults);
}
static void on_fault_twice(int signal) {
    faults++;
    if (depth == 0) {
        depth = 1;
        if (sigsetjmp(inner, 1) == 0) *nowhere = 1;
        printf("inner %d\n", faults);
        depth = 0;
        siglongjmp(back, faults);
    }
    siglongjmp(inner, 1);
}
static int recurse(volatile int level) {
    volatile char room[2000];
    room[level % 2000] = level;
    return recurse(level + 1) + room[3];
}
static int compare(const void *a, const void *b) { return *(int *)a == 3 ? *nowhere : *(int *)a - *(int *)b; }
static int peek(int *place) {
    if (sigsetjmp(back, 1)) return -1;
    return *place;
}

static void fault(int kind) {
    int numbers[] = {1, 3, 2, 5};
    struct { int v[40]; } large;
    switch (kind) {
    case 0: *nowhere = 4; break;
    case 1: printf("%d\n", recurse(1)); break;
    case 2: qsort(numbers, 4, sizeof *numbers, compare); break;
    case 3: memcpy(nowhere, "abcdefgh", 8); break;
    case 4: memcpy(&large, nowhere, sizeof large); printf("%d\n", large.v[3]); break;
    case 5: sprintf((char *)nowhere, "%d", 5); break;
    case 6: printf("%zu\n", strlen((char *)nowhere)); break;
    case 7: printf("%zu\n", fwrite((char *)nowhere, 1, 10000, stderr)); break;
    case 8: __atomic_fetch_add(nowhere, 1, __ATOMIC_SEQ_CST); break;
    case 9: *(char *)mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 3; break;
    case 10: ((void (*)(void))nowhere)(); break;
    case 11: raise(SIGSEGV); break;
    }
    puts("not reached");
}
static void *work(void *nothing) {
    printf("%d %d\n", peek(nowhere), peek(nowhere + 1));
    return nothing;
}

int main(void) {
    struct rlimit small = {1 << 20, RLIM_INFINITY};
    setrlimit(RLIMIT_STACK, &small);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    stack_t stack = {malloc(65536), 0, 65536};
    sigaltstack(&stack, 0);
    action.sa_handler = on_fault;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGSEGV, &action, 0);
    for (volatile int kind = 0; kind < 12; kind++) {
        for (volatile int round = 0; round < 3; round++) {
            if (sigsetjmp(back, 1) == 0) fault(kind);
            else printf("kind %d round %d faults %d\n", kind, round, faults);
        }
    }
    action.sa_handler = on_fault_twice;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGSEGV, &action, 0);
    for (volatile int round = 0; round < 3; round++) {
        if (sigsetjmp(back, 1) == 0) fault(0);
        else printf("round %d faults %d\n", round, faults);
    }
    action.sa_handler = on_fault;
    action.sa_flags = 0;
    sigaction(SIGSEGV, &action, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    printf("%d\n", peek(nowhere));
    return 0;
}
