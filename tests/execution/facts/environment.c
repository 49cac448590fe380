//~ criterion: output 1
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *path = getenv("PATH"); //~ in slice
    const char *none = getenv("FAULTLINE_NO_SUCH_VARIABLE"); //~ not in slice
    char c = path ? '1' : '0'; //~ in slice
    putchar(c); //~ in slice //~ origin: 8
    putchar(none ? '1' : '0'); //~ not in slice
    return 0;
}
