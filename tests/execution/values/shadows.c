#include <stdio.h>

int x = 1;

static int inner(int x) {
    x++; //~ values x: 10
    {
        int y = x; //~ values x: 11
        int x = 100;
        y += x; //~ values x: 100 //~ values y: 11
        {
            int x = y;
            printf("%d\n", x); //~ values x: 111
        }
        x = 5; //~ values x: 100
    }
    return x; //~ values x: 11
}

int main(void) {
    printf("%d\n", x); //~ values x: 1
    int x = 10;
    inner(x); //~ values x: 10
    for (int x = 0; x < 2; x++)
        printf("%d\n", x); //~ values x: 0 1
    return x - 10; //~ values x: 10
}
