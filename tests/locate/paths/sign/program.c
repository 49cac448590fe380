/* The sign of a number of one digit; zero was forgotten. */
#include <assert.h>
#include <stdio.h>

int main(void) {
    int c, sign = 2;
    int negative = 0, number = 0;
    c = getchar();
    if (c == '-') {
        negative = 1;
        c = getchar();
    }
    number = c - '0';
    if (number > 0) //~ fault within 3
        sign = negative ? -1 : 1;
    assert(sign < 2);
    printf("%d\n", sign);
    return 0;
}
