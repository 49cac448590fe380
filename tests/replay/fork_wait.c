// Children: each computes and exits, some die of signals; pipes carry results; the parent goes on.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int total = 5;

static int compute(int n) {
    for (int i = 0; i < 1000; i++) total = total * 31 + n + i;
    return total & 63;
}

int main(void) {
    for (int i = 0; i < 4; i++) {
        int ends[2], status, result = 0;
        pipe(ends);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            result = compute(i);
            write(ends[1], &result, sizeof result);
            if (i == 2) raise(SIGKILL);
            if (i == 3) abort();
            exit(result);
        }
        close(ends[1]);
        read(ends[0], &result, sizeof result);
        close(ends[0]);
        waitpid(child, &status, 0);
        printf("%d %d %d %d\n", result, total, WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), compute(1));
    }
    pid_t outer = fork();
    if (outer == 0) {
        pid_t inner = fork();
        if (inner == 0) _exit(compute(9) & 7);
        int status;
        waitpid(inner, &status, 0);
        _exit(WEXITSTATUS(status) + 1);
    }
    int status;
    waitpid(outer, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    return 0;
}
