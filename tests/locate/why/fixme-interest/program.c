/* What an account holds after some months, in cents: interest each month, and a fee while it holds little. */
#include <stdio.h>

static long interest(long cents, int percent) {
    long yearly = cents * percent / 100;
    return yearly / 10; //~ fault within 3
}

static long fee(long cents) {
    if (cents < 100000)
        return 250;
    return 0;
}

int main(void) {
    long cents;
    int percent, months;
    while (scanf("%ld %d %d", &cents, &percent, &months) == 3) {
        for (int month = 0; month < months; month++) {
            cents += interest(cents, percent);
            cents -= fee(cents);
        }
        printf("%ld\n", cents);
    }
    return 0;
}
