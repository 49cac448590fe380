// Prices: who buys little and is no member should pay the full price, but there is no `else` for it, so the price of the
// buyer before stays.
#include <stdio.h>

static int cents;

static void price(int pieces, int is_member) {
    if (pieces >= 10)
        cents = 80 * pieces;
    else if (is_member) //~ fault
        cents = 90 * pieces;
}

int main(void) {
    int pieces, is_member;
    while (scanf("%d %d", &pieces, &is_member) == 2) {
        price(pieces, is_member);
        printf("%d pieces\n", pieces);
        printf("%d cents\n", cents);
    }
    return 0;
}
