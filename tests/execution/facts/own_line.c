//~ criterion: line 8
// Whoever asks about a line finds it in the answer.
#include <stdio.h>

int main(void) {
    int a = 3; //~ in slice
    int b = 4; //~ not in slice
    int c = a + 1; //~ in slice //~ origin: 6
    int d = c + b; //~ not in slice
    printf("%d\n", d); //~ not in slice
    return 0;
}
