//~ criterion: output 1
#include <stdio.h>

static int last(int n) {
    int squares[n];
    int cubes[n];
    for (int i = 0; i < n; i++) { //~ controls: 7 8 9 //~ in slice
        squares[i] = i * i; //~ in slice
        cubes[i] = i * i * i; //~ in slice
    }
    int x = squares[n - 1]; //~ in slice
    int y = cubes[n - 1]; //~ in slice
    return x + (y - y); //~ in slice
}

int main(void) {
    int n = 3; //~ in slice
    putchar('0' + last(n)); //~ in slice
    return 0;
}
