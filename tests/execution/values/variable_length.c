#include <stdio.h>

static int sum(int n, int m, int table[n][m]) {
    int squares[n];
    int all = 0;
    for (int i = 0; i < n; i++) {
        squares[i] = i * i; //~ values squares: {?, ?, ?} {0, ?, ?} {0, 1, ?}
        all += squares[i] + table[i][m - 1];
    }
    return all; //~ values squares: {0, 1, 4} //~ values squares[n]: ? //~ values squares[2]: 4 //~ values table[0][1]: 2
}

int main(void) {
    int table[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    printf("%d\n", sum(3, 2, table));
    return 0;
}
