/* Checks brackets line by line. */
#include <stdio.h>
#include <string.h>

static char closing(char c) {
    switch (c) {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    default: return 0;
    }
}

static int check(const char *text) {
    char open[64];
    int depth = 0;
    for (int i = 0; text[i] != 0; i++) {
        char wanted = closing(text[i]);
        if (wanted != 0) {
            open[depth++] = wanted;
        } else if (strchr(")]}", text[i]) != NULL) {
            if (depth == 0 || open[--depth] != text[i])
                return i + 1;
        }
    }
    if (depth > 1) //~ fault
        return -depth;
    return 0;
}

int main(void) {
    char line[128];
    int number = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = 0;
        number++;
        int result = check(line);
        if (result > 0)
            printf("line %d: wrong at %d\n", number, result);
        else if (result < 0)
            printf("line %d: %d left open\n", number, -result);
        else
            printf("line %d: ok\n", number);
    }
    return 0;
}
