// Debug information does not tell how long the rows of a parameter are whose length another parameter has.
#include <stdio.h>

static int last(int n, int m, int table[n][m]) {
    return table[n - 1][m - 1]; //~ values table[1][0]: 3
}

int main(void) {
    int table[2][2] = {{1, 2}, {3, 4}};
    printf("%d\n", last(2, 2, table));
    return 0;
}
