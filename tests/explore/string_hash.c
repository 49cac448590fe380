// A switch on the hash of a word.
//@ text: help

#include <stdio.h>
#include <stdlib.h>

static unsigned hash(const char *text) {
    unsigned value = 5381;
    for (; *text; text++)
        value = value * 33 ^ (unsigned char)*text;
    return value;
}

int main(void) {
    char word[12];
    if (scanf("%11s", word) != 1)
        return 1;
    switch (hash(word)) {
    case 0x7c79369d: /* stop */
        puts("stopped");
        break;
    case 0x0a3c5f21:
        abort();
    case 0x0b873b33: /* get */
        puts("got");
        break;
    default:
        puts("?");
    }
}
