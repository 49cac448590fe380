/* The three best scores, best first. */
#include <stdio.h>

#define KEPT 3

static int best[KEPT], count;

static void insert(int score) {
    int at = count;
    while (at > 0 && best[at - 1] < score) {
        if (at < KEPT)
            best[at] = best[at - 1];
        at--;
    }
    if (at < KEPT) {
        best[at] = score;
        count = at + 1; //~ fault within 5
    }
}

int main(void) {
    int score;
    while (scanf("%d", &score) == 1)
        insert(score);
    for (int i = 0; i < count; i++)
        printf("%d. %d\n", i + 1, best[i]);
    return 0;
}
