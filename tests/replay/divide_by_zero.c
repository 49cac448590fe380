//@ ends: signal 8
// The machine's divide error.
#include <stdio.h>

static int mean(const int *numbers, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += numbers[i];
    return sum / n;
}

int main(void) {
    int numbers[] = {1, 2, 3};
    setvbuf(stdout, 0, _IONBF, 0);
    for (int n = 3; n >= 0; n--) printf("%d\n", mean(numbers, n));
    return 0;
}
