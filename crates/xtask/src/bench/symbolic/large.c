// Goes over all of its input as often as its argument says: a checksum, a table, comparisons.
#include <stdio.h>
#include <stdlib.h>

static unsigned char bytes[1 << 20];
static unsigned table[256];
static unsigned counts[16];

int main(int argc, char **argv) {
    size_t length = fread(bytes, 1, sizeof bytes, stdin);
    int turns = argc > 1 ? atoi(argv[1]) : 1;
    for (unsigned i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xedb88320 : table[i] >> 1;
    }
    unsigned sum = 1, total = 0;
    for (int turn = 0; turn < turns; turn++)
        for (size_t i = 0; i < length; i++) {
            sum = sum >> 8 ^ (bytes[i] * 0x01000193u + sum % 1021);
            if (bytes[i] > 'a' + turn)
                total += bytes[i] - 'a';
            counts[i & 15] += table[i & 255] & 1;
        }
    printf("%u %u %u\n", sum, total, counts[3]);
    return 0;
}
