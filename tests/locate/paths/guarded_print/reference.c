/* Prints a number if it is not negative. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char text[16];
    int u, v, x;
    v = 0;
    if (fgets(text, sizeof text, stdin) == NULL)
        return 2;
    x = atoi(text);
    if (x >= 0) {
        u = 5;
    } else {
        u = v;
    }
    printf("%d\n", u);
    return 0;
}
