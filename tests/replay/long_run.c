// Many times more log than one chunk of it holds.
#include <stdio.h>
#include <stdlib.h>

static unsigned table[4096];

static unsigned mix(unsigned x, unsigned y) {
    table[x & 4095] += y;
    return (x * 2654435761u) ^ table[y & 4095];
}

int main(void) {
    unsigned x = 1;
    for (unsigned i = 0; i < 3000000; i++) {
        x = mix(x, i);
        if (x % 1000 == 7) table[i & 4095] = x;
    }
    printf("%u\n", x);
    return 0;
}
