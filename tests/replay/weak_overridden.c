//@ with: parts/weak_overriding.c
// Two modules define a function, one of them weakly: the other is called by both.
#include <stdio.h>

int measure(int);
int twice(int);

int main(void) {
    printf("%d %d\n", measure(5), twice(6));
    return 0;
}

__attribute__((weak)) int measure(int x) {
    int sum = 0;
    for (int i = 0; i < x; i++)
        sum += i;
    return sum;
}
