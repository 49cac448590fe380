// A table, a line each; fields between commas. The third line has a field more than the first.
//@ text: a,b\nc,d\n

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[80];
    int columns = 0, number = 0;
    int *sums = NULL;
    while (fgets(line, sizeof line, stdin)) {
        int fields = 1;
        for (char *at = line; (at = strchr(at, ',')); at++)
            fields++;
        if (number++ == 0) {
            columns = fields;
            sums = calloc(columns, sizeof *sums);
        } else if (fields < columns) {
            return 1;
        }
        if (number == 3 && fields > columns + 1)
            sums[1 << 28] = 1;
        sums[columns - 1]++;
    }
    printf("%d lines of %d\n", number, columns);
}
