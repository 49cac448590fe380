// Prices in cents as a number with a point in it.
//@ text: 10 2

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int price, percent;
    if (scanf("%d %d", &price, &percent) != 2)
        return 1;
    if (price < 0 || percent < 0 || percent > 100)
        return 1;
    double reduced = price * (1.0 - percent / 100.0);
    if (reduced > 1234.0 && reduced < 1234.5)
        abort();
    printf("%.2f\n", reduced);
}
