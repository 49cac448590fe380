// Identifiers of a little language: letters, then letters and digits, at most eight of them.
//@ text: a+b

#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char name[9];
    int c = getchar();
    while (c != EOF) {
        if (!isalpha(c) && c != '_') {
            c = getchar();
            continue;
        }
        int length = 0, digits = 0;
        while (c != EOF && (isalnum(c) || c == '_')) {
            if (length < 8)
                name[length] = c;
            digits += isdigit(c) != 0;
            length++;
            c = getchar();
        }
        if (length > 8 && digits == 3)
            *(volatile char *)0 = name[0];
        printf("%d\n", length);
    }
}
