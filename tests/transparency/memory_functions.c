// Copying, moving, setting and comparing, with lengths known and unknown, overlapping and empty.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct big { char c[300]; int tail; };

static unsigned hash(const void *p, size_t n) {
    unsigned h = 0;
    for (const unsigned char *b = p; n--; b++) h = h * 31 + *b;
    return h;
}

int main(void) {
    char buffer[128];
    for (int i = 0; i < 128; i++) buffer[i] = (char)i;
    for (int n = 0; n < 40; n += 3) {
        memmove(buffer + n, buffer + 5, n);
        memmove(buffer + 3, buffer + n, n);
        memcpy(buffer + 80, buffer, n);
        memset(buffer + n, n, n / 2);
    }
    printf("%u\n", hash(buffer, sizeof buffer));
    struct big a, b;
    memset(&a, 7, sizeof a);
    a.tail = 5;
    b = a;
    struct big *heap = malloc(sizeof *heap * 2);
    heap[1] = b;
    heap[0] = *&heap[1];
    heap[0].c[299]++;
    printf("%d %d %u\n", memcmp(&heap[0], &heap[1], sizeof b) > 0, heap[0].tail, hash(heap, 2 * sizeof *heap));
    heap = realloc(heap, sizeof *heap * 50);
    memset(heap + 2, 0, sizeof *heap * 48);
    printf("%u\n", hash(heap, sizeof *heap * 50));
    free(heap);
    int *zeros = calloc(100, sizeof *zeros);
    long sum = 0;
    for (int i = 0; i < 100; i++) sum += zeros[i] + i;
    free(zeros);
    char text[64] = "tokens, to: cut";
    for (char *t = strtok(text, " ,:"); t; t = strtok(0, " ,:")) printf("[%s]", t);
    char *copy = strdup("duplicate");
    printf("%ld %s %zu %s %ld\n", sum, copy, strlen(copy), strchr(copy, 'l'), strtol("-0x1f", 0, 0));
    free(copy);
    return 0;
}
