/* Prints lines on pages, with a heading on each. */
#include <stdio.h>

enum { LINES = 3 };

int main(void)
{
    char text[80];
    int line = 0, page = 1;
    printf("page %d\n", page);
    while (fgets(text, sizeof text, stdin)) {
        if (line > LINES) { //~ fault within 3
            page = page + 1;
            printf("page %d\n", page);
            line = 0;
        }
        printf("%s", text);
        line = line + 1;
    }
    return 0;
}
