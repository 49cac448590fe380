// 128-bit integers, as locals, arguments, results, members and array elements.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void show(const char *what, u128 x) {
    printf("%s %016llx%016llx\n", what, (unsigned long long)(x >> 64), (unsigned long long)x);
}

static i128 power(i128 base, int n) {
    i128 result = 1;
    while (n-- > 0) result *= base;
    return result;
}

struct pair {
    char tag;
    i128 value;
};
static struct pair pairs[3];

static struct pair twice(struct pair p) {
    p.value += p.value;
    return p;
}

int main(void) {
    i128 big = power(-7, 45);
    show("power", big);
    show("quotient", big / 1000000007);
    show("remainder", big % 1000000007);
    show("shifts", (u128)big >> 65 ^ (u128)big << 3);
    show("arithmetic shift", big >> 100);
    show("product", (u128)0xfedcba9876543210ULL * 0x123456789abcdefULL);
    for (int i = 0; i < 3; i++) {
        pairs[i].tag = 'a' + i;
        pairs[i].value = power(10, 10 * i + 5);
        struct pair p = twice(pairs[i]);
        printf("%c ", p.tag);
        show("twice", p.value);
    }
    printf("%d %d %d\n", big < 0, big == power(-7, 45), (u128)big > 5);
    printf("%.17g %.17g\n", (double)big, (double)(u128)power(3, 80));
    show("from double", (i128)-1e30);
    return 0;
}
