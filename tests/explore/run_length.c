// Runs of one byte, packed; what they unpack to may be too long.
//@ text: \x02a\x01b\0

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned char line[64];
    int filled = 0, count, byte;
    while ((count = getchar()) > 0) {
        if ((byte = getchar()) == EOF)
            return 1;
        if (count > 40)
            return 1;
        for (int i = 0; i < count; i++) {
            if (filled == 64)
                abort();
            line[filled++] = byte;
        }
    }
    fwrite(line, 1, filled, stdout);
}
