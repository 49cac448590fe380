// Checked arithmetic and bit counting.
#include <limits.h>
#include <stdio.h>

static int numbers[] = {0, 1, -1, 7, INT_MAX, INT_MIN, 65536, -65537};

int main(void) {
    int n = sizeof numbers / sizeof *numbers, count = 0;
    unsigned hash = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int r;
            unsigned u;
            long l;
            short s;
            count += __builtin_add_overflow(numbers[i], numbers[j], &r);
            hash = hash * 31 + r;
            count += __builtin_sub_overflow(numbers[i], numbers[j], &r);
            hash = hash * 31 + r;
            count += __builtin_mul_overflow(numbers[i], numbers[j], &r);
            hash = hash * 31 + r;
            count += __builtin_mul_overflow((unsigned)numbers[i], (unsigned)numbers[j], &u);
            hash = hash * 31 + u;
            count += __builtin_add_overflow((long)numbers[i] << 32, (long)numbers[j] << 32, &l);
            hash = hash * 31 + (unsigned)(l >> 32);
            count += __builtin_add_overflow(numbers[i], numbers[j], &s);
            hash = hash * 31 + s;
        }
    printf("%d %u\n", count, hash);
    for (int i = 0; i < n; i++) {
        unsigned x = numbers[i];
        unsigned long long y = (unsigned long long)x << 17 | 1;
        printf("%d %d %d %d %d %d %x %llx %d\n", x ? __builtin_clz(x) : -1, x ? __builtin_ctz(x) : -1,
               __builtin_popcount(x), __builtin_ffs(x), __builtin_parity(x), __builtin_clzll(y), __builtin_bswap32(x),
               __builtin_bswap64(y), __builtin_ctzll(y));
        printf("%x %x %x\n", __builtin_rotateleft32(x, 5), __builtin_bitreverse32(x), __builtin_bswap16(x));
    }
    return 0;
}
