// The middle of five numbers once they are sorted.
//@ text: 5 1 4 2 3

#include <stdio.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int main(void) {
    unsigned char values[5];
    for (int i = 0; i < 5; i++) {
        int value;
        if (scanf("%d", &value) != 1 || value < 0 || value > 255)
            return 1;
        values[i] = value;
    }
    qsort(values, 5, 1, by_value);
    if (values[2] == 77 && values[4] == 200)
        abort();
    printf("%d\n", values[2]);
}
