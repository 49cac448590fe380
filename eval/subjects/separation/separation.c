/* Keeps aircraft apart. Reads reports of tracks, one a line, and says at each "go" which pairs are in conflict and what
 * each aircraft should do:
 *
 *   track ID X Y ALTITUDE SPEED HEADING RATE [CAPABILITY]
 *         X, Y in nautical miles, ALTITUDE in feet, SPEED in knots, HEADING one of n ne e se s sw w nw,
 *         RATE in feet per minute, CAPABILITY one of full, silent (gives no advice to others), none
 *   drop ID
 *   weather FLOOR CEILING     altitudes to keep out of, if that is possible
 *   go [MINUTES]              look ahead [2]
 *
 * Distances are kept in hundredths of a mile, so that all is integer arithmetic.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TRACKS 16
#define STEP_SECONDS 10
#define MIN_LEVEL 1000
#define MAX_LEVEL 41000

enum capability { FULL, SILENT, NO_EQUIPMENT };
enum advice { CLEAR, LEVEL_OFF, CLIMB, DESCEND, DO_NOT_CLIMB, DO_NOT_DESCEND, ADVICES };

static const char *const advice_words[ADVICES] = {"clear", "level off", "climb", "descend", "do not climb", "do not descend"};

struct track {
    char id[8];
    int x, y;         /* hundredths of a mile */
    int altitude;     /* feet */
    int vx, vy;       /* hundredths of a mile an hour */
    int rate;         /* feet a minute */
    enum capability capability;
    enum advice advice;
    int urgency;      /* seconds to the nearest conflict; INT_MAX: none */
};

struct conflict {
    int a, b;
    int seconds;
    int horizontal; /* hundredths of a mile, squared root */
    int vertical;
};

static struct track tracks[MAX_TRACKS];
static int n_tracks;
static int weather_floor = 0, weather_ceiling = 0;

static const struct {
    const char *name;
    int dx, dy; /* thousandths */
} headings[] = {
    {"n", 0, 1000}, {"ne", 707, 707}, {"e", 1000, 0}, {"se", 707, -707},
    {"s", 0, -1000}, {"sw", -707, -707}, {"w", -1000, 0}, {"nw", -707, 707},
};

static int root(long n)
{
    long r = 0;
    while ((r + 1) * (r + 1) <= n)
        r++;
    return (int)r;
}

/* Apart enough vertically, by altitude of the lower one. */
static int needed_vertical(int altitude)
{
    if (altitude >= 29000)
        return 2000;
    if (altitude >= 10000)
        return 1000;
    return 500;
}

static int needed_horizontal(int altitude)
{
    return altitude >= 10000 ? 500 : 300;
}

static int altitude_after(const struct track *t, int seconds)
{
    int altitude = t->altitude + t->rate * seconds / 60;
    return altitude < 0 ? 0 : altitude;
}

static int distance_after(const struct track *a, const struct track *b, int seconds)
{
    long dx = (a->x - b->x) + (long)(a->vx - b->vx) * seconds / 3600;
    long dy = (a->y - b->y) + (long)(a->vy - b->vy) * seconds / 3600;
    return root(dx * dx + dy * dy);
}

/* Finds when two tracks come too near within the time looked ahead. */
static int find_conflict(int a, int b, int horizon, struct conflict *found)
{
    const struct track *ta = &tracks[a], *tb = &tracks[b];
    for (int s = 0; s <= horizon; s += STEP_SECONDS) {
        int za = altitude_after(ta, s), zb = altitude_after(tb, s);
        int lower = za < zb ? za : zb;
        int vertical = abs(za - zb);
        int horizontal = distance_after(ta, tb, s);
        if (lower < MIN_LEVEL / 2)
            continue; /* on or near the ground */
        if (vertical < needed_vertical(lower) && horizontal < needed_horizontal(lower)) {
            *found = (struct conflict){a, b, s, horizontal, vertical};
            return 1;
        }
    }
    return 0;
}

static int in_weather(int altitude)
{
    return altitude >= weather_floor && altitude < weather_ceiling;
}

static int may_climb(const struct track *t, int amount)
{
    return t->altitude + amount <= MAX_LEVEL;
}

static int may_descend(const struct track *t, int amount)
{
    return t->altitude - amount >= MIN_LEVEL;
}

/* Which of two goes up: the one that will be higher; at equal height the one that climbs faster, then the first. */
static int upper_of(const struct conflict *c)
{
    int za = altitude_after(&tracks[c->a], c->seconds), zb = altitude_after(&tracks[c->b], c->seconds);
    if (za != zb)
        return za > zb ? c->a : c->b;
    if (tracks[c->a].rate != tracks[c->b].rate)
        return tracks[c->a].rate > tracks[c->b].rate ? c->a : c->b;
    return c->a;
}

static void advise(struct track *t, enum advice advice, int seconds)
{
    if (t->capability == NO_EQUIPMENT)
        return;
    if (seconds < t->urgency) {
        t->advice = advice;
        t->urgency = seconds;
    }
}

static enum advice going_up(const struct track *t, int amount, int urgent)
{
    if (!may_climb(t, amount))
        return LEVEL_OFF;
    if (!urgent && t->rate >= 0)
        return DO_NOT_DESCEND;
    if (in_weather(t->altitude + amount) && !urgent)
        return LEVEL_OFF;
    return CLIMB;
}

static enum advice going_down(const struct track *t, int amount, int urgent)
{
    if (!may_descend(t, amount))
        return LEVEL_OFF;
    if (!urgent && t->rate <= 0)
        return DO_NOT_CLIMB;
    if (in_weather(t->altitude - amount) && !urgent)
        return LEVEL_OFF;
    return DESCEND;
}

static void resolve(const struct conflict *c)
{
    int up = upper_of(c);
    int down = up == c->a ? c->b : c->a;
    struct track *tu = &tracks[up], *td = &tracks[down];
    int needed = needed_vertical(altitude_after(td, c->seconds));
    int amount = needed - c->vertical;
    int urgent = c->seconds < 40;
    /* One that hears nothing leaves all to the other. */
    if (tu->capability == NO_EQUIPMENT || td->capability == NO_EQUIPMENT) {
        amount *= 2;
        urgent = 1;
    }
    int up_acts = td->capability != SILENT;
    int down_acts = tu->capability != SILENT;
    if (up_acts)
        advise(tu, going_up(tu, amount, urgent), c->seconds);
    if (down_acts)
        advise(td, going_down(td, amount, urgent), c->seconds);
}

static int by_time(const void *left, const void *right)
{
    const struct conflict *l = left, *r = right;
    if (l->seconds != r->seconds)
        return l->seconds < r->seconds ? -1 : 1;
    if (l->a != r->a)
        return l->a - r->a;
    return l->b - r->b;
}

static void look(int minutes)
{
    static struct conflict conflicts[MAX_TRACKS * MAX_TRACKS];
    int n = 0;
    for (int i = 0; i < n_tracks; i++) {
        tracks[i].advice = CLEAR;
        tracks[i].urgency = INT_MAX;
    }
    for (int i = 0; i < n_tracks; i++)
        for (int j = i + 1; j < n_tracks; j++)
            if (find_conflict(i, j, minutes * 60, &conflicts[n]))
                n++;
    qsort(conflicts, (size_t)n, sizeof conflicts[0], by_time);
    printf("%d conflicts\n", n);
    for (int i = 0; i < n; i++) {
        const struct conflict *c = &conflicts[i];
        printf("  %s %s in %d s: %d.%02d nm, %d ft\n", tracks[c->a].id, tracks[c->b].id, c->seconds, c->horizontal / 100,
               c->horizontal % 100, c->vertical);
        resolve(c);
    }
    for (int i = 0; i < n_tracks; i++)
        if (tracks[i].advice != CLEAR)
            printf("  %s: %s\n", tracks[i].id, advice_words[tracks[i].advice]);
}

static int find_track(const char *id)
{
    for (int i = 0; i < n_tracks; i++)
        if (strcmp(tracks[i].id, id) == 0)
            return i;
    return -1;
}

static void report(const char *line)
{
    struct track t = {.capability = FULL, .advice = CLEAR, .urgency = INT_MAX};
    char heading[4] = "", capability[8] = "full";
    double x, y;
    int speed, h;
    int n = sscanf(line, "track %7s %lf %lf %d %d %3s %d %7s", t.id, &x, &y, &t.altitude, &speed, heading, &t.rate, capability);
    if (n < 7) {
        printf("bad track\n");
        return;
    }
    for (h = 0; h < 8 && strcmp(headings[h].name, heading) != 0; h++)
        ;
    if (h == 8 || t.altitude < 0 || t.altitude > 60000) {
        printf("%s: bad heading or altitude\n", t.id);
        return;
    }
    t.x = (int)(x * 100 + (x < 0 ? -0.5 : 0.5));
    t.y = (int)(y * 100 + (y < 0 ? -0.5 : 0.5));
    t.vx = speed * headings[h].dx / 10;
    t.vy = speed * headings[h].dy / 10;
    if (strcmp(capability, "silent") == 0)
        t.capability = SILENT;
    else if (strcmp(capability, "none") == 0)
        t.capability = NO_EQUIPMENT;
    int i = find_track(t.id);
    if (i < 0) {
        if (n_tracks == MAX_TRACKS) {
            printf("too many tracks\n");
            return;
        }
        i = n_tracks++;
    }
    tracks[i] = t;
}

int main(void)
{
    char line[160];
    while (fgets(line, sizeof line, stdin)) {
        char word[10] = "", id[8];
        int minutes = 2;
        if (sscanf(line, "%9s", word) < 1 || word[0] == '#')
            continue;
        if (strcmp(word, "track") == 0) {
            report(line);
        } else if (strcmp(word, "drop") == 0) {
            int i = sscanf(line, "drop %7s", id) == 1 ? find_track(id) : -1;
            if (i < 0) {
                printf("no such track\n");
                continue;
            }
            for (n_tracks--; i < n_tracks; i++)
                tracks[i] = tracks[i + 1];
        } else if (strcmp(word, "weather") == 0) {
            if (sscanf(line, "weather %d %d", &weather_floor, &weather_ceiling) != 2)
                printf("bad weather\n");
        } else if (strcmp(word, "go") == 0) {
            sscanf(line, "go %d", &minutes);
            look(minutes);
        } else {
            printf("%s?\n", word);
        }
    }
    return 0;
}
