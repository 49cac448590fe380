/* A histogram: values on the border between two classes are counted in the wrong one. */
#include <stdio.h>

#define CLASSES 5

static int class_of(double value, double low, double step) {
    int class = 0;
    while (class < CLASSES - 1 && value > low + step) { //~ fault
        low += step;
        class++;
    }
    return class;
}

int main(void) {
    int counts[CLASSES] = {0};
    double value;
    while (scanf("%lf", &value) == 1) {
        int class = class_of(value, 0, 2.5);
        counts[class]++;
        printf("%g in %d\n", value, class);
    }
    for (int i = 0; i < CLASSES; i++) printf("%d: %d\n", i, counts[i]);
    return 0;
}
