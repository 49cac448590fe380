//~ criterion: output 1
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[16];
    int found = 0; //~ not in slice
    strcpy(text, "one two"); //~ in slice
    char *word = strtok(text, " "); //~ in slice
    char *other = word; //~ not in slice
    found++; //~ not in slice
    word = strtok(NULL, " "); //~ in slice
    putchar(word[0]); //~ in slice
    putchar(other[0]); //~ not in slice
    printf("%d\n", found); //~ not in slice
    return 0;
}
