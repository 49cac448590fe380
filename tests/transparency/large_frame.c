// Frames of a megabyte, zeroed and partly written.
#include <stdio.h>
#include <string.h>

static long use(int n) {
    int table[1 << 18];
    memset(table, 0, sizeof table);
    for (int i = 0; i < n; i++) table[(i * 7919) & ((1 << 18) - 1)] += i;
    long sum = 0;
    for (int i = 0; i < 1 << 18; i += 101) sum += table[i];
    return sum;
}

int main(void) {
    char blank[100000] = {0};
    struct { int a[1000]; double b[1000]; } record = {{1, 2}, {[999] = 4}};
    blank[5] = 1;
    long sum = blank[5] + blank[99999] + record.a[1] + (long)record.b[999];
    printf("%ld %ld\n", use(100000), sum);
    return 0;
}
