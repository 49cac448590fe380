//~ criterion: output 1
#include <stdio.h>

struct entry { char name; int value; };

int main(void) {
    struct entry entries[3];
    for (int i = 0; i < 3; i++) { //~ controls: 8 9 10 //~ in slice
        entries[i].name = 'a' + i; //~ not in slice
        entries[i].value = i * 3; //~ in slice
    }
    int at = 2; //~ in slice
    putchar('0' + entries[at].value); //~ in slice //~ origin: 10 12
    putchar(entries[0].name); //~ not in slice //~ origin: 9
    return 0;
}
