/* What sending a parcel costs: by weight, more for long ones, nothing above a total. */
#include <stdio.h>

struct parcel {
    int grams, length, width, height;
};

static int girth(const struct parcel *p) {
    return 2 * (p->width + p->width); //~ fault within 3
}

static int base(int grams) {
    if (grams <= 1000)
        return 400;
    if (grams <= 5000)
        return 700;
    return 1200;
}

static int cost(const struct parcel *p) {
    int cents = base(p->grams);
    if (p->length + girth(p) > 300)
        cents += 1500;
    return cents;
}

int main(void) {
    struct parcel p;
    while (scanf("%d %d %d %d", &p.grams, &p.length, &p.width, &p.height) == 4)
        printf("%d\n", cost(&p));
    return 0;
}
