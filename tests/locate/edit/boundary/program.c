/* Words of a line: tabs are not taken for what separates them, nor anything above the blank that should be. */
#include <stdio.h>

static int is_separator(int c) {
    int below = c < ' '; //~ fault
    return below;
}

int main(void) {
    int c, words = 0, length = 0, inside = 0;
    while ((c = getchar()) != EOF) {
        if (is_separator(c)) {
            if (inside) printf("word of %d\n", length);
            inside = 0;
        } else {
            if (!inside) {
                words++;
                length = 0;
            }
            inside = 1;
            length++;
        }
    }
    printf("%d words\n", words);
    return 0;
}
