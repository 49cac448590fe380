// A number in any notation of C, of which a small range is not provided for.
//@ text: 12

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char text[32] = {0}, *end;
    fread(text, 1, sizeof text - 1, stdin);
    errno = 0;
    long value = strtol(text, &end, 0);
    if (end == text || errno)
        return 1;
    static int table[100];
    if (value >= -0x7ff0 && value < 100)
        printf("%d\n", table[value < -0x7fe0 ? value * 1000000 : value < 0 ? 0 : value]);
    return 0;
}
