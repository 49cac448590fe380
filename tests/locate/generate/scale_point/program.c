/* Scales one point to the magnitude of another, in whole numbers; wrong for the origin, and without a second point. The
   structure is that of figure 1 of Artzi, Dolby, Tip and Pistoia: a second point is there if its numbers are. */
#include <stdio.h>

struct point {
    int x, y;
};

static int magnitude(const struct point *p) {
    return p->x * p->x + p->y * p->y;
}

static void scale(struct point *p, const struct point *by) {
    int factor = magnitude(by) / magnitude(p); //~ fault
    p->x = p->x * factor;
    p->y = p->y * factor;
}

static int number(int *value) {
    int c = getchar(), digits = 0;
    while (c == ' ')
        c = getchar();
    for (*value = 0; c >= '0' && c <= '9'; c = getchar(), digits++)
        *value = 10 * *value + (c - '0');
    return digits > 0;
}

int main(void) {
    struct point x, target, *by = NULL;
    int scale_x, scale_y;
    if (!number(&x.x) || !number(&x.y)) {
        puts("no point");
        return 0;
    }
    if (number(&scale_x) && number(&scale_y)) {
        by = &target;
        by->x = scale_x;
        by->y = scale_y;
    }
    scale(&x, by);
    printf("%d %d %d\n", x.x, x.y, magnitude(&x));
    return 0;
}
