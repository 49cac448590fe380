/* Finds numbers in a sorted list. */
#include <stdio.h>

static int numbers[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
static const int count = sizeof numbers / sizeof *numbers;

static int find(int wanted) {
    int low = 0, high = count - 1;
    while (low < high) { //~ fault
        int middle = (low + high) / 2;
        if (numbers[middle] == wanted)
            return middle;
        if (numbers[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void) {
    int wanted;
    while (scanf("%d", &wanted) == 1) {
        int at = find(wanted);
        if (at < 0)
            printf("%d is not there\n", wanted);
        else
            printf("%d is number %d\n", wanted, at + 1);
    }
    return 0;
}
