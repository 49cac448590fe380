// Totals of columns. The first of them comes out too short: the wrong byte is the blank after it, which is not to blame.
#include <stdio.h>

enum { COLUMNS = 3 };

int main(void) {
    int totals[COLUMNS] = {0}, row[COLUMNS], rows = 0;
    while (scanf("%d %d %d", &row[0], &row[1], &row[2]) == COLUMNS) {
        rows++;
        for (int i = 0; i < COLUMNS; i++)
            totals[i] = row[i]; //~ fault within 3
    }
    printf("%d rows\n", rows);
    for (int i = 0; i < COLUMNS; i++) {
        printf("%d", totals[i]);
        putchar(i + 1 < COLUMNS ? ' ' : '\n');
    }
    return 0;
}
