//~ criterion: output 1
// What was cut off is not there.
#include <stdio.h>

int main(void) {
    char text[4];
    int left = 123; //~ in slice
    int room = sizeof text; //~ in slice
    int full = snprintf(text, room, "%d%s", left, "tail"); //~ in slice
    putchar(text[2]); //~ in slice
    printf("%d\n", full); //~ not in slice
    return 0;
}
