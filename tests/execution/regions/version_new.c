//@ arguments: 5
// The version after version_old.c: a guard was added, a statement wrapped, another removed, a function renamed.
#include <stdio.h>
#include <stdlib.h>

static int total, calls;

static void add(int n) {
    calls++; // added count
    total += n; // kept in add
}

static int compute(int limit) {
    int i, odd = 0;
    if (limit > 1000) // kept check
        return 0;
    if (limit < 0) // added guard
        return -1;
    for (i = 0; i <= limit; i++) { // changed loop
        if (i & 1)
            odd++; // kept odd
        if (i != 100) // added wrapping
            add(i); // kept call
    }
    if (odd > 2)
        odd = 3; // changed store
    return odd; // kept return
}

static int times(int n, int by) {
    int product = 0;
    while (by-- > 0)
        product += n; // kept product
    return product;
}

int main(int argc, char **argv) {
    int limit = atoi(argv[1]); // kept limit
    int odd = compute(limit); // kept compute
    printf("%d %d %d\n", odd, total, times(limit, 3)); // kept print
    return 0;
}
