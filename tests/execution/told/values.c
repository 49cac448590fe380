// Values are told as the source has them.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

#define LIMIT 3

enum advice { KEEP, CLIMB, DESCEND };

struct size {
    int width, height, depth;
};

static enum advice advise(int n) {
    return n < LIMIT ? CLIMB : DESCEND; //~ told n < LIMIT is true //~ told advise returns CLIMB
}

static struct size sized(int width) {
    struct size size = {1, 2, 3}; //~ told size = {width = 1, height = 2, depth = 3}
    size.width = width;
    return size; //~ told sized returns {width = 7, height = 2, depth = 3}
}

int main(void) {
    int c = 'q', spaces[2] = {0}; //~ told spaces = all zeros
    bool is_known = true; //~ told is_known = true
    char letter = (char)c; //~ told letter = 'q'
    unsigned large = 4000000000u; //~ told large = 4000000000
    struct size size = sized(7); //~ told size = {width = 7, height = 2, depth = 3}
    struct size same = size; //~ told same = a copy of size
    if (c == '\n' || c == EOF || isalpha(c)) //~ told c == '\n' is false //~ told c == EOF is false //~ told isalpha(c) is true
        putchar(c); //~ told calls putchar('q')
    if (c % 2 != 0 && size.width - 1 > 0x2) //~ told c % 2 != 0 is true //~ told size.width - 1 > 0x2 is true
        printf("%d %c\n", c, c); //~ told calls printf("%d %c\n", 113, 'q')
    enum advice advice = advise(2); //~ told advice = CLIMB
    switch (letter) { //~ told switch on letter, which is 'q'
    case 'q':
        is_known = advice == KEEP;
    }
    return is_known || large < 4 || spaces[1] || same.depth == 4;
}
