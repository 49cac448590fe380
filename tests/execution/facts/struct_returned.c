//~ criterion: output 1
#include <stdio.h>

struct big { int a, b, rest[20]; };

static struct big make(int n) {
    struct big made;
    made.a = n; //~ in slice
    made.b = n + 1; //~ not in slice
    return made;
}

int main(void) {
    int n = 5; //~ in slice
    struct big one = make(n); //~ in slice
    putchar('0' + one.a); //~ in slice
    printf("%d\n", one.b); //~ not in slice
    return 0;
}
