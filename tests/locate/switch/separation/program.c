/* Which way an aircraft should go to keep apart from another. */
#include <stdio.h>

struct report {
    int altitude, rate, other_altitude, other_rate, distance;
};

enum advice { NONE, CLIMB, DESCEND };

static int threshold(int altitude) {
    if (altitude < 5000)
        return 300;
    if (altitude < 10000)
        return 400;
    return 600;
}

static int above_after(const struct report *r, int seconds) {
    return (r->altitude + r->rate * seconds) - (r->other_altitude + r->other_rate * seconds);
}

static enum advice advise(const struct report *r) {
    int apart = above_after(r, 30);
    int enough = threshold(r->altitude);
    if (r->distance > 6000)
        return NONE;
    if (apart >= enough || -apart >= enough)
        return NONE;
    if (apart > 0) //~ fault
        return CLIMB;
    return DESCEND;
}

int main(void) {
    static const char *const words[] = {"none", "climb", "descend"};
    struct report r;
    while (scanf("%d %d %d %d %d", &r.altitude, &r.rate, &r.other_altitude, &r.other_rate, &r.distance) == 5)
        puts(words[advise(&r)]);
    return 0;
}
