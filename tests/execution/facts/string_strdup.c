//~ criterion: output 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[4];
    strcpy(text, "abc"); //~ in slice
    text[1] = 'q'; //~ in slice
    char *copy = strdup(text); //~ in slice
    text[1] = 'r'; //~ not in slice
    copy[2] = 's'; //~ not in slice
    putchar(copy[1]); //~ in slice
    free(copy); //~ not in slice
    return 0;
}
