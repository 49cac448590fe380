// The price of a parcel. Heavy ones, from 20 kilograms on, cost more, and insurance is a share of the price.
#include <stdio.h>

struct parcel {
    int kilograms;
    int zone;
    int insured;
};

static int base_price(const struct parcel *parcel) {
    int price = 400 + 50 * parcel->zone;
    price += 30 * parcel->kilograms;
    return price;
}

static int surcharge(const struct parcel *parcel) {
    int extra = 0;
    if (parcel->kilograms > 20) //~ fault
        extra = 500;
    return extra;
}

static int with_insurance(const struct parcel *parcel, int price) {
    int share = parcel->insured ? price / 10 : 0;
    return price + share;
}

int main(void) {
    struct parcel parcel;
    if (scanf("%d %d %d", &parcel.kilograms, &parcel.zone, &parcel.insured) != 3)
        return 2;
    int price = base_price(&parcel);
    int extra = surcharge(&parcel);
    int total = with_insurance(&parcel, price + extra);
    printf("price %d\n", price);
    printf("total %d\n", total);
    return 0;
}
