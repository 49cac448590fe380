// Leaving a signal handler by siglongjmp, after faults the machine raised and signals the program sent.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static sigjmp_buf recover;
static volatile int faults;

static void on_fault(int signal) {
    faults++;
    siglongjmp(recover, signal);
}
static void on_user(int signal) { siglongjmp(recover, 100 + signal); }

static int *volatile nowhere;
static volatile int zero;

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_fault;
    sigaction(SIGSEGV, &action, 0);
    sigaction(SIGFPE, &action, 0);
    action.sa_handler = on_user;
    sigaction(SIGUSR1, &action, 0);
    for (volatile int round = 0; round < 6; round++) {
        int code = sigsetjmp(recover, 1);
        if (code == 0) {
            switch (round % 3) {
            case 0: *nowhere = round; break;
            case 1: printf("%d\n", round / zero); break;
            case 2: raise(SIGUSR1); break;
            }
            puts("not reached");
        } else {
            printf("round %d code %d faults %d\n", round, code, faults);
        }
    }
    return 0;
}
