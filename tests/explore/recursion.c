// A tree between brackets; it may not be as deep as it likes.
//@ text: (a)

#include <stdio.h>
#include <stdlib.h>

static int height(int depth) {
    int highest = 0, c;
    if (depth == 7)
        abort();
    while ((c = getchar()) == '(') {
        int one = height(depth + 1);
        if (one > highest)
            highest = one;
    }
    if (c == EOF)
        return highest;
    if (c != ')')
        while ((c = getchar()) != ')')
            if (c == EOF)
                exit(1);
    return highest + 1;
}

int main(void) {
    printf("%d\n", height(0));
}
