//~ criterion: output 3
// %s takes each byte from its place in the text, and stops at the precision.
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[8];
    int most = 3; //~ in slice
    int other = 4; //~ not in slice
    strcpy(text, "abcdef");
    text[2] = 'X'; //~ in slice
    text[4] = 'Y'; //~ not in slice
    printf("%.*s\n", most, text); //~ in slice
    printf("%d\n", other); //~ not in slice
    return 0;
}
