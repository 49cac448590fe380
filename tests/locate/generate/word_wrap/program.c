/* Breaks text into lines of at most ten characters. A word that is longer than a line is never begun. */
#include <stdio.h>

enum { WIDTH = 10 };

int main(void) {
    char text[64];
    int length = 0, c;
    while (length < 63 && (c = getchar()) != EOF && c != '\n')
        text[length++] = (char)c;
    int at = 0, column = 0;
    while (at < length) {
        if (text[at] == ' ') {
            at++;
            continue;
        }
        int end = at;
        while (end < length && text[end] != ' ')
            end++;
        if (column + (end - at) > WIDTH) {
            putchar('\n');
            column = 0;
            if (end - at > WIDTH) //~ fault within 3
                continue;
        }
        for (; at < end; at++, column++)
            putchar(text[at]);
        putchar(' ');
        column++;
    }
    putchar('\n');
    return 0;
}
