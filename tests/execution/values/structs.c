#include <stdio.h>

struct point {
    int x, y;
};

struct line {
    struct point from, to;
    struct {
        short width;
    };
    const char *label;
};

typedef struct line line_t;

static int length(struct point p) {
    return p.x + p.y; //~ values p: {x = 7, y = 4} //~ values p.y: 4
}

static long total(line_t l) {
    l.to.x += 1; //~ values l: {from = {x = 1, y = 2}, to = {x = 7, y = 4}, {width = 5}, label = "edge"}
    return l.to.x + l.width; //~ values l.to.x: 8 //~ values l.width: 5
}

int main(void) {
    struct point p = {3, 4}; //~ values p: {x = ?, y = ?}
    line_t l = {.from = {1, 2}, .to = p, .label = "edge"};
    l.width = 5; //~ values l: {from = {x = 1, y = 2}, to = {x = 3, y = 4}, {width = 0}, label = "edge"}
    l.to.x = 7; //~ values l.to: {x = 3, y = 4}
    struct point *q = &l.to;
    q->y = length(*q) - 7; //~ values q: &{x = 7, y = 4} //~ values q->x: 7 //~ values (*q).y: 4 //~ values *q: {x = 7, y = 4}
    printf("%ld\n", total(l)); //~ values l.to: {x = 7, y = 4}
    return 0;
}
