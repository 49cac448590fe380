#include <stdio.h>
#include <string.h>

static int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};

int main(void) {
    int a[4] = {10, 20};
    int zero[100] = {0};
    int *end = a + 4;
    for (int i = 0; i < 2; i++) {
        a[i + 2] = a[i] + 1; //~ values a: {10, 20, 0, 0} {10, 20, 11, 0} //~ values a[i]: 10 20 //~ values a[3]: 0 0
        grid[i][2] += i; //~ values grid[i][2]: 3 6 //~ values grid[i]: {1, 2, 3} {4, 5, 6}
    }
    zero[50] = 1; //~ values zero: {0 <repeats 100 times>}
    memset(zero, 0xff, sizeof zero / 2); //~ values zero: {0 <repeats 50 times>, 1, 0 <repeats 49 times>}
    int first = zero[0]; //~ values zero: {-1 <repeats 50 times>, 1, 0 <repeats 49 times>} //~ values grid: {{1, 2, 3}, {4, 5, 7}}
    printf("%d %d %d\n", a[3], first, end[-1]); //~ values a: {10, 20, 11, 21} //~ values end[-1]: 21
    return 0;
}
