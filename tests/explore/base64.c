// What is decoded has a length of its own, which is believed.
//@ text: QUJD\n

#include <stdio.h>
#include <string.h>

static int digit(int c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int main(void) {
    char line[64];
    unsigned char bytes[64], kept[16] = {0};
    if (!fgets(line, sizeof line, stdin))
        return 1;
    int count = 0, bits = 0;
    unsigned held = 0;
    for (char *at = line; digit(*at) >= 0; at++) {
        held = held << 6 | digit(*at);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[count++] = held >> bits;
        }
    }
    if (count < 3 || bytes[0] != 0x7f || bytes[1] != 'E')
        return 1;
    volatile int *nowhere = NULL;
    for (int i = 0; i < bytes[2]; i++) {
        if (i >= 200)
            *nowhere = i;
        kept[i % 16]++;
    }
    printf("%d\n", kept[0]);
}
