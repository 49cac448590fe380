/* Moving averages: the window is one short, in every line of the output. */
#include <stdio.h>

static int average(const int *values, int from, int width) {
    int sum = 0;
    for (int i = from; i < from + width - 1; i++) //~ fault
        sum += values[i];
    return sum / width;
}

int main(void) {
    int values[64], count = 0, width;
    if (scanf("%d", &width) != 1) return 1;
    while (count < 64 && scanf("%d", &values[count]) == 1) count++;
    for (int from = 0; from + width <= count; from++)
        printf("%d: %d\n", from, average(values, from, width));
    return 0;
}
