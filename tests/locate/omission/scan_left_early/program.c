// The largest of some readings: the loop is left before the last one.
#include <stdio.h>

static int readings[16];

static int largest(int count) {
    int best = readings[0];
    for (int i = 1; i < count - 1; i++) //~ fault
        if (readings[i] > best)
            best = readings[i];
    return best;
}

int main(void) {
    int count = 0;
    while (count < 16 && scanf("%d", &readings[count]) == 1)
        count++;
    printf("%d readings\n", count);
    printf("largest %d\n", largest(count));
    return 0;
}
