//~ criterion: output 3
// fputs, fputc and fwrite to stdout count together; standard error is another file.
#include <stdio.h>

int main(void) {
    char text[4] = {'a', 'b', 0, 0}; //~ not in slice
    int c = 'c'; //~ in slice
    char block[2] = {'d', 'e'}; //~ not in slice
    fputs("noise", stderr); //~ not in slice
    fputs(text, stdout); //~ not in slice
    fputc(c, stdout); //~ in slice
    fwrite(block, 1, 2, stdout); //~ not in slice
    return 0;
}
