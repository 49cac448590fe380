//@ input: parts/outside.txt
// What a library wrote is known from when the program loads it, back to the call that wrote it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) {
    int left = *(const int *)a, right = *(const int *)b;
    return left - right; //~ values left: 2 //~ values right: 1
}

int main(void) {
    char line[8] = "old";
    int n = -1;
    if (!fgets(line, sizeof line, stdin)) //~ values line: "old"
        return 1;
    int sum = 0; //~ values line: "12\n"
    for (char *p = line; *p; p++)
        sum += *p; //~ values *p: '1' '2' '\n'
    if (scanf("%d", &n) != 1) //~ values n: -1
        return 1;
    sum += n; //~ values n: 77
    int numbers[] = {2, 1};
    qsort(numbers, 2, sizeof *numbers, by_value);
    printf("%d %d\n", sum, numbers[0] * 10 + numbers[1]); //~ values numbers: {1, 2}
    return 0;
}
