/* Three flags, and a choice inside of the last: it adds too much where the fourth is set. */
#include <stdio.h>

int main(void) {
    int a = getchar() == '1', b = getchar() == '1', c = getchar() == '1', d = getchar() == '1';
    int i = 0, j = 0, k = 0;
    if (a)
        i = i + 1;
    if (b)
        j = j + 1;
    if (c)
        if (d) //~ fault
            k = k + 4;
        else
            k = k + 2;
    printf("%d %d %d\n", i, j, k);
    return 0;
}
