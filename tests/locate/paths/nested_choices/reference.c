/* Three flags, and a choice inside of the last. */
#include <stdio.h>

int main(void) {
    int a = getchar() == '1', b = getchar() == '1', c = getchar() == '1', d = getchar() == '1';
    int i = 0, j = 0, k = 0;
    if (a)
        i = i + 1;
    if (b)
        j = j + 1;
    if (c)
        if (d)
            k = k + 1;
        else
            k = k + 2;
    printf("%d %d %d\n", i, j, k);
    return 0;
}
