// Arrays whose length is known at run time: one and two dimensions, in loops, as parameters, sizeof, jumps out.
#include <stdio.h>
#include <string.h>

static int fill(int n, int m, int grid[n][m]) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum += grid[i][j] = i * m + j;
    return sum;
}

static int nested(int depth) {
    char buffer[depth * 3 + 1];
    memset(buffer, 'a' + depth, sizeof buffer);
    buffer[depth * 3] = 0;
    if (depth == 0) return (int)strlen(buffer);
    return nested(depth - 1) + (int)strlen(buffer) + buffer[1];
}

int main(int argc, char **argv) {
    long total = 0;
    for (int n = 1; n < 20; n++) {
        int grid[n][n + 1];
        total += fill(n, n + 1, grid) + sizeof grid + sizeof grid[0];
        if (n % 5 == 0) continue;
        if (n == 17) goto out;
        double other[n];
        for (int i = 0; i < n; i++) other[i] = i * 0.5;
        total += (long)other[n - 1];
    }
out:
    printf("%ld %d\n", total, nested(10));
    int n = argc + 4;
    typedef int row[n];
    row *rows = __builtin_alloca(sizeof(row) * 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++) rows[i][j] = i + j;
    printf("%d %zu\n", rows[2][n - 1], sizeof(row));
    return 0;
}
