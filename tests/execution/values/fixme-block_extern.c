// Debug information does not tell of a declaration inside a block, so the outer local is shown instead.
#include <stdio.h>

int x = 1;

int main(void) {
    int x = 10;
    {
        extern int x;
        x++; //~ values x: 1
    }
    printf("%d\n", x); //~ values x: 10
    return 0;
}
