//@ arguments: 1
// A branch that goes the other way brings about a loop and a recursive call that executes the use once more (run 2), or
// takes the use away and executes it elsewhere (run 3). Shaped as figure 2 of "Towards Locating Execution Omission Errors".
#include <stdio.h>
#include <stdlib.h>

static int x = 1, shown;

static void work(int p, int c2, int run) {
    int t = 0;
    if (p) {
        t = 1;
        x = 5;
        if (run == 3)
            c2 = 0;
    }
    while (t) {
        if (run == 2)
            work(0, 1, 0);
        t = 0;
    }
    if (shown >= 0) {
        if (c2) {
            shown += x; // the use
            shown++;
        }
        if (run == 3)
            work(0, 1, 0);
    }
}

int main(int argc, char **argv) {
    int run = atoi(argv[1]);
    work(run != 1, 1, run);
    printf("%d\n", shown);
    return 0;
}
