/* For each line, the length of its longest word. The longest of one line must not count for the next. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int c, length = 0, longest = 0;
    while ((c = getchar()) != EOF) {
        if (isalpha(c)) {
            length++;
            continue;
        }
        if (length > longest)
            longest = length;
        length = 0;
        if (c == '\n') {
            printf("%d\n", longest); //~ fault within 3 (missing after it: longest = 0)
        }
    }
    return 0;
}
