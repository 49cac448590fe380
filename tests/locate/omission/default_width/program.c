// Lines are to be broken at a width; what it is by default is wrong, so nothing is broken.
#include <stdio.h>

struct settings {
    int width, indent, is_breaking;
};

static struct settings defaults(void) {
    struct settings settings;
    settings.width = 10;
    settings.indent = 1;
    settings.is_breaking = 0; //~ fault
    return settings;
}

int main(void) {
    struct settings settings = defaults();
    char word[32];
    int column = 0, lines = 1, c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (settings.is_breaking && column >= settings.width) {
            column = 0;
            lines++;
        }
        column++;
    }
    printf("indent %d\n", settings.indent);
    printf("%d lines\n", lines);
    return 0;
}
