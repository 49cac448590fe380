//~ criterion: output 1
// How long the text is, its bytes tell when the call begins.
// What sscanf assigns comes from the bytes that it read.
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[8];
    int a = 1; //~ not in slice
    int b = 2; //~ not in slice
    int other = 3; //~ not in slice
    strcpy(text, "7 8"); //~ in slice
    int count = sscanf(text, "%d %d", &a, &b); //~ in slice
    putchar('0' + b); //~ in slice //~ origin: 12 13
    printf("%d %d\n", count, other); //~ not in slice
    return 0;
}
