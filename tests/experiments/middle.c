/* The middle of three numbers, wrong where the first is the middle one: the second test in the else part. */
#include <stdio.h>

static int middle(int x, int y, int z) {
    int m = z;
    if (y < z) {
        if (x < y)
            m = y;
        else if (x < z)
            m = y; /* should be x */
    } else {
        if (x > y)
            m = y;
        else if (x > z)
            m = x;
    }
    return m;
}

int main(void) {
    int x, y, z;
    while (scanf("%d %d %d", &x, &y, &z) == 3)
        printf("%d\n", middle(x, y, z));
    return 0;
}
