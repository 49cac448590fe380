//~ criterion: output 1
// Of several conversions, the first byte comes from the first.
#include <stdio.h>

int main(void) {
    int a = 7; //~ in slice
    int b = 8;
    const char *name = "text";
    printf("%d %d %s\n", a, b, name); //~ in slice //~ origin: 6 7 8
    return 0;
}
