//~ criterion: output 4
// Each byte comes from the text it was copied of; where the second text begins, the first one's end decides.
#include <stdio.h>
#include <string.h>

int main(void) {
    char first[8];
    char second[8];
    char third[8];
    char all[24];
    strcpy(first, "abc"); //~ in slice
    strcpy(second, "def"); //~ in slice
    strcpy(third, "ghi"); //~ not in slice
    strcpy(all, first); //~ in slice
    strcat(all, second); //~ in slice
    strcat(all, third); //~ not in slice
    putchar(all[0]); //~ not in slice
    putchar(all[1]); //~ not in slice
    putchar(all[2]); //~ not in slice
    putchar(all[3]); //~ in slice
    return 0;
}
