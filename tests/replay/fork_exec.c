// Other programs, and this one again: fork and exec, vfork, system, popen, posix_spawn.
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int waited(pid_t child) {
    int status;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        int sum = 0;
        for (char *c = argv[1]; *c; c++) sum += *c;
        return sum & 31;
    }
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "exit 3", (char *)0);
        _exit(9);
    }
    printf("%d\n", waited(child));
    child = fork();
    if (child == 0) {
        execv("/proc/self/exe", (char *[]){argv[0], "again", 0});
        _exit(9);
    }
    printf("%d\n", waited(child));
    child = vfork();
    if (child == 0) {
        execl("/bin/true", "true", (char *)0);
        _exit(9);
    }
    printf("%d %d\n", waited(child), WEXITSTATUS(system("exit 5")));
    FILE *lines = popen("echo one; echo two", "r");
    char line[20];
    while (fgets(line, sizeof line, lines)) printf("%s", line);
    printf("%d\n", pclose(lines));
    if (posix_spawn(&child, "/bin/sh", 0, 0, (char *[]){"sh", "-c", "exit 6", 0}, environ) == 0) printf("%d\n", waited(child));
    return 0;
}
