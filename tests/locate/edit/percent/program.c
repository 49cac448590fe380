/* Prices with a discount: it is added to each price that is not small. */
#include <stdio.h>

static long discounted(long cents, int percent) {
    long part = cents * percent / 100;
    if (cents < 1000) return cents;
    long price = cents + part; //~ fault
    return price;
}

int main(void) {
    int percent;
    long cents, total = 0;
    if (scanf("%d", &percent) != 1) return 1;
    while (scanf("%ld", &cents) == 1) {
        long price = discounted(cents, percent);
        total += price;
        printf("%ld.%02ld\n", price / 100, price % 100);
    }
    printf("total %ld.%02ld\n", total / 100, total % 100);
    return 0;
}
