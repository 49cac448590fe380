// A substitution by a table: what comes out must be a word.
//@ text: ....

#include <stdio.h>
#include <stdlib.h>

static const unsigned char substitute[64] = {
    41, 7,  58, 22, 3,  36, 15, 60, 11, 48, 29, 0,  54, 18, 33, 6,  25, 62, 40, 13, 51, 2,  37, 20, 9,  46, 31, 57, 16, 4,  43, 28,
    61, 10, 35, 24, 1,  52, 39, 14, 27, 63, 8,  45, 30, 19, 56, 5,  34, 49, 12, 23, 42, 59, 17, 38, 26, 53, 44, 21, 32, 55, 47, 50,
};

int main(void) {
    unsigned char text[4];
    if (fread(text, 1, 4, stdin) != 4)
        return 1;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 4; i++)
            text[i] = substitute[(text[i] ^ text[(i + 1) % 4]) & 63];
    if (text[0] == 17 && text[1] == 42 && text[2] == 8 && text[3] == 60)
        abort();
    puts("locked");
}
