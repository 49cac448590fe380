// Memory at addresses of the program's choice, where the runtime might have its own, and more than the kernel's usual
// places hold.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static long use(int *memory, long length) {
    long count = length / sizeof *memory, step = count / 7 + 1, sum = 0;
    for (long i = 0; i < count; i += step) memory[i] = i * 3;
    memcpy(memory + 1, "hello", 6);
    for (long i = 0; i < count; i += step) sum += memory[i] % 1009;
    return sum + strlen((char *)(memory + 1));
}
static void *map(unsigned long where, long length, int flags) {
    void *result = mmap((void *)where, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    if (result == MAP_FAILED) printf("errno %d\n", errno);
    return result;
}
static void *work(void *memory) {
    printf("%ld\n", use(memory, 65536));
    return NULL;
}

int main(void) {
    // Windows of 2^40 bytes, at numbers that people think of.
    const unsigned long windows[] = {1, 2, 4, 8, 0x10, 0x11, 0x12, 0x20, 0x30, 0x40, 0x50, 0x60};
    for (int i = 0; i < sizeof windows / sizeof *windows; i++) {
        unsigned long window = windows[i];
        int *memory = map(window << 40, 65536, MAP_FIXED);
        printf("%#lx %ld\n", window, use(memory, 65536));
        if (window == 0x30) munmap(memory, 65536);
    }
    int *kept = map(0x2b0000400000, 8192, MAP_FIXED_NOREPLACE);
    printf("%d %ld\n", kept == (int *)0x2b0000400000, use(kept, 8192));
    printf("%d\n", map(0x2b0000400000, 4096, MAP_FIXED_NOREPLACE) == MAP_FAILED);
    printf("%d\n", map(0x300000000000, 4096, 0) == (void *)0x300000000000);
    int *large = map(0, 1L << 41, 0);
    printf("%ld\n", use(large, 1L << 41));
    large = mremap(large, 1L << 41, 65536, 0);
    printf("%d\n", large[0]);
    int *moved = mremap(large, 65536, 65536, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)0x3b1200000000);
    printf("%d %ld\n", moved == (int *)0x3b1200000000, use(moved, 65536));
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)(0x20UL << 40));
    pthread_join(thread, NULL);
    return 0;
}
