/* What a parcel costs: weight, zone, and whether it is fragile. Heavy parcels abroad cost too little. */
#include <stdio.h>

static int weight_price(int weight) {
    if (weight <= 1)
        return 4;
    if (weight <= 5)
        return 7;
    if (weight <= 20)
        return 12;
    return 30;
}

static int abroad(int price, int weight) {
    if (weight > 20)
        return price + 2; //~ fault within 3
    return price * 2;
}

int main(void) {
    int weight = 0, price, c;
    while ((c = getchar()) >= '0' && c <= '9')
        weight = 10 * weight + (c - '0');
    int zone = getchar();
    int mark = getchar();
    price = weight_price(weight);
    if (zone == 'b')
        price += 1;
    else if (zone == 'c')
        price = abroad(price, weight);
    if (mark == 'f')
        price += 5;
    printf("%d\n", price);
    return 0;
}
