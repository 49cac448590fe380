//~ criterion: output 1
// What a grown buffer held before, it still holds.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    size_t room = 2; //~ in slice
    char *text = malloc(room); //~ in slice
    text[0] = 'a'; //~ in slice
    text[1] = 'b'; //~ not in slice
    room *= 600; //~ in slice
    text = realloc(text, room); //~ in slice
    text[1] = 'c'; //~ not in slice
    putchar(text[0]); //~ in slice
    free(text); //~ not in slice
    return 0;
}
