//~ criterion: output 1
#include <stdio.h>
#include <string.h>

int main(void) {
    char from[32];
    char to[32];
    memset(from, 'x', sizeof from); //~ not in slice
    memset(to, 'y', sizeof to); //~ not in slice
    from[5] = '5'; //~ in slice
    from[6] = '6'; //~ not in slice
    memcpy(to, from, 16); //~ in slice
    to[6] = '7'; //~ not in slice
    putchar(to[5]); //~ in slice
    putchar(to[20]); //~ not in slice
    return 0;
}
