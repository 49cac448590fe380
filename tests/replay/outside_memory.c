//@ outside: parts/scribbler.c
// Memory that code outside the program's own changes: plain objects, the kernel, the C library.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern int shared_counter;
extern int *remembered;
void scribble(char *where, int n);
void remember(int *where);
void change_remembered(void);
int read_static(void);
int own_counter = 5;

int main(void) {
    int local = 1;
    char buffer[32];
    remember(&local);
    for (int i = 0; i < 5; i++) {
        change_remembered();
        shared_counter += local;
        scribble(buffer, i * 5 + 1);
        printf("%d %d %s %d\n", local, shared_counter, buffer, read_static());
    }
    *remembered = 77;
    printf("%d\n", local);
    int ends[2];
    pipe(ends);
    write(ends[1], "through a pipe", 15);
    read(ends[0], buffer, 15);
    printf("%s\n", buffer);
    char name[] = "mapped-XXXXXX";
    int file = mkstemp(name);
    unlink(name);
    write(file, "0123456789", 10);
    char *map = mmap(0, 10, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    map[3] = 'x';
    pwrite(file, "y", 1, 4);
    printf("%.10s\n", map);
    struct stat status;
    fstat(file, &status);
    printf("%ld\n", (long)status.st_size);
    munmap(map, 10);
    close(file);
    return 0;
}
