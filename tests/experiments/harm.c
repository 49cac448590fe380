/* Does nothing, wrongly; does harm if the one predicate of `main` is switched. The harm is the first argument. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void do_harm(const char *kind, const char *argument) {
    int is_done = 0;
    if (strcmp(kind, "unlink") == 0) {
        is_done = unlink(argument) == 0;
    } else if (strcmp(kind, "write") == 0) {
        is_done = open(argument, O_WRONLY | O_CREAT | O_TRUNC, 0666) >= 0;
    } else if (strcmp(kind, "rename") == 0) {
        is_done = rename(argument, "elsewhere") == 0;
    } else if (strcmp(kind, "connect") == 0) {
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(argument))};
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        int socket_ = socket(AF_INET, SOCK_STREAM, 0);
        is_done = connect(socket_, (struct sockaddr *)&to, sizeof to) == 0;
    } else if (strcmp(kind, "local") == 0) {
        struct sockaddr_un to = {.sun_family = AF_UNIX};
        strncpy(to.sun_path, argument, sizeof to.sun_path - 1);
        int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
        is_done = connect(socket_, (struct sockaddr *)&to, sizeof to) == 0;
    } else if (strcmp(kind, "fork") == 0) {
        for (;;)
            fork();
    } else if (strcmp(kind, "allocate") == 0) {
        for (char *block; (block = malloc(1 << 20)) != NULL;)
            memset(block, 1, 1 << 20);
        is_done = 2;
    } else if (strcmp(kind, "print") == 0) {
        for (;;)
            puts("again and again");
    } else if (strcmp(kind, "loop") == 0) {
        for (volatile int i = 0;; i++)
            ;
    } else if (strcmp(kind, "sleep") == 0) {
        signal(SIGTERM, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        for (;;)
            pause();
    } else if (strcmp(kind, "daemon") == 0) {
        if (fork() == 0) {
            setsid();
            if (fork() == 0) {
                execl("/bin/sleep", argument, "1000", (char *)0);
                for (;;)
                    pause();
            }
            _exit(0);
        }
        usleep(20000);
    } else if (strcmp(kind, "kill") == 0) {
        is_done = kill(atoi(argument), SIGKILL) == 0;
    } else if (strcmp(kind, "kill-all") == 0) {
        kill(-1, SIGKILL);
    }
    printf(is_done == 1 ? "done\n" : is_done == 2 ? "no more memory\n" : "refused\n");
    exit(5);
}

int main(int count, char **words) {
    if (count == 0)
        do_harm(words[1], words[2]);
    return 1;
}
