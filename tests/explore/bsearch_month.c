// Names of months in a sorted table; what belongs to one of them is missing.
//@ text: jan

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct month {
    const char *name;
    const char *season;
};

static const struct month months[] = {
    {"apr", "spring"}, {"aug", "summer"}, {"dec", "winter"}, {"feb", "winter"}, {"jan", "winter"}, {"jul", "summer"},
    {"jun", "summer"}, {"mar", "spring"}, {"may", "spring"}, {"nov", "autumn"}, {"oct", NULL},     {"sep", "autumn"},
};

static int by_name(const void *key, const void *month) {
    return strcmp(key, ((const struct month *)month)->name);
}

int main(void) {
    char name[16];
    if (scanf("%15s", name) != 1)
        return 1;
    const struct month *found = bsearch(name, months, 12, sizeof months[0], by_name);
    if (found)
        printf("%c\n", found->season[0]);
}
