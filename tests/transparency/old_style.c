//@ flags: -std=c89
// Definitions in the old style, calls without prototypes, and calls that disagree with the definition.
#include <stdio.h>

int add(a, b)
int a, b;
{
    return a + b;
}

double scale(x, by)
float x;
char by;
{
    return x * by;
}

int first();
int ignored();
long widened();

int main() {
    int (*unknown)() = add;
    printf("%d %d\n", add(3, 4), unknown(5, 6));
    printf("%g\n", scale(1.5, 'A'));
    printf("%d\n", first(7));
    printf("%d\n", ignored(1, 2, 3, 4, 5, 6, 7, 8));
    printf("%ld\n", widened(40));
    return 0;
}

int first(a, b)
int a, b;
{
    return a;
}
int ignored() { return 9; }
long widened(x)
long x;
{
    return (int)x + 2;
}
