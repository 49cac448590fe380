//@ arguments: 5
// The version before version_new.c.
#include <stdio.h>
#include <stdlib.h>

static int total;

static void add(int n) {
    total += n; // kept in add
}

static int obsolete(int n) { return n * 2 + 1; }

static int compute(int limit) {
    int i, odd = 0;
    if (limit > 1000) // kept check
        return 0;
    for (i = 0; i < limit; i++) { // changed loop
        if (i & 1)
            odd++; // kept odd
        add(i); // kept call
        total ^= 1; // removed
    }
    if (odd > 2)
        odd = 2; // changed store
    return odd; // kept return
}

static int scale_it(int n, int by) {
    int product = 0;
    while (by-- > 0)
        product += n; // kept product
    return product;
}

int main(int argc, char **argv) {
    int limit = atoi(argv[1]); // kept limit
    int odd = compute(limit); // kept compute
    printf("%d %d %d\n", odd, total, scale_it(limit, 3)); // kept print
    return obsolete(0) - 1;
}
