/* Writes runs of equal letters as a number and the letter; a number has one digit. */
#include <stdio.h>
#include <string.h>

static void put_run(char letter, int length) {
    if (length > 1)
        printf("%d", length);
    putchar(letter);
}

static void encode(const char *text) {
    int length = 0;
    char last = 0;
    for (const char *at = text; *at != 0; at++) {
        if (*at == last && length <= 9) { //~ fault
            length++;
            continue;
        }
        if (length > 0)
            put_run(last, length);
        last = *at;
        length = 1;
    }
    if (length > 0)
        put_run(last, length);
    putchar('\n');
}

int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = 0;
        encode(line);
    }
    return 0;
}
