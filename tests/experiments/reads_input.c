// Reads its input in the way its first argument names, and prints what it found there. Asked for addresses, it prints where
// things lie.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned long length, hash = 5381;

static void take(const unsigned char *bytes, size_t count)
{
    length += count;
    for (size_t i = 0; i < count; i += 1 + count / 500)
        hash = hash * 33 + bytes[i];
}

static void by_stdio(FILE *from)
{
    unsigned char line[300];
    size_t count;
    int first = getc(from);
    if (first != EOF)
        ungetc(first, from);
    while ((count = fread(line, 1, sizeof line, from)) > 0)
        take(line, count);
}

static void by_read(void)
{
    static unsigned char part[40000];
    ssize_t count;
    while ((count = read(0, part, sizeof part)) > 0)
        take(part, (size_t)count);
}

static void by_mmap(int flags)
{
    struct stat about;
    fstat(0, &about);
    if (about.st_size == 0)
        return;
    unsigned char *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, flags, 0, 0);
    if (bytes == MAP_FAILED)
        exit(9);
    take(bytes, (size_t)about.st_size);
    // Behind the end, the rest of the page is zero.
    for (long at = about.st_size; at % 4096; at++)
        hash += bytes[at];
    printf("mapped at %d\n", (int)((unsigned long)bytes & 4095));
}

static void by_seek(void)
{
    printf("begins at %ld, %ld\n", ftell(stdin), (long)lseek(0, 0, SEEK_CUR));
    fseek(stdin, 0, SEEK_END);
    long end = ftell(stdin);
    printf("ends at %ld\n", end);
    fseek(stdin, end / 2, SEEK_SET);
    by_stdio(stdin);
    printf("%ld\n", (long)lseek(0, 3, SEEK_SET));
    by_read();
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "stdio";
    struct stat about;
    fstat(0, &about);
    printf("%s: %ld bytes, changed at %ld\n", how, (long)about.st_size, (long)about.st_mtime);
    if (!strcmp(how, "stdio"))
        by_stdio(stdin);
    else if (!strcmp(how, "read"))
        by_read();
    else if (!strcmp(how, "mmap"))
        by_mmap(MAP_PRIVATE);
    else if (!strcmp(how, "shared"))
        by_mmap(MAP_SHARED);
    else if (!strcmp(how, "seek"))
        by_seek();
    else if (!strcmp(how, "file")) {
        FILE *from = fopen(argv[2], "r");
        if (!from) {
            puts("no such file");
            return 3;
        }
        by_stdio(from);
    } else if (!strcmp(how, "named")) {
        char name[300] = "";
        fgets(name, sizeof name, stdin);
        name[strcspn(name, "\n")] = 0;
        FILE *from = fopen(name, "r");
        if (!from) {
            puts("no such file");
            return 3;
        }
        by_stdio(from);
    } else if (!strcmp(how, "environment")) {
        const char *value = getenv("OTHER_INPUTS");
        puts(value ? value : "not set");
    }
    printf("%lu bytes, %lx\n", length, hash);
    if (argc > 1 && !strcmp(argv[argc - 1], "addresses")) {
        char *one = malloc(1000), *large = malloc(500000);
        printf("%p %p %p %p %p %p\n", (void *)&argc, (void *)argv[0], (void *)one, (void *)large, (void *)main,
               (void *)sbrk(0));
    }
    fprintf(stderr, "%lu\n", length % 10);
    return (int)(hash % 5);
}
