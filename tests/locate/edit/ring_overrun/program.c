/* A ring that takes more than it has room for; what was not read yet is overwritten, and found out when it is. */
#include <assert.h>
#include <stdio.h>

#define ROOM 8

struct ring {
    int slots[ROOM];
    unsigned head, tail;
};

static unsigned used(const struct ring *r) {
    return r->head - r->tail;
}

static int put(struct ring *r, int value) {
    if (used(r) > ROOM) //~ fault
        return 0;
    r->slots[r->head++ % ROOM] = value;
    return 1;
}

static int get(struct ring *r) {
    assert(used(r) > 0);
    return r->slots[r->tail++ % ROOM];
}

int main(void) {
    struct ring r = {0};
    int next = 0, wanted = 0, c;
    while ((c = getchar()) != EOF) {
        if (c == '+') {
            next += put(&r, next);
        } else if (c == '-' && used(&r)) {
            int got = get(&r);
            assert(got == wanted);
            wanted++;
        }
    }
    printf("%d in, %d out\n", next, wanted);
    return 0;
}
