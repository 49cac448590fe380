/* A table with rows and columns exchanged. */
#include <stdio.h>

#define MOST 8

static int from[MOST][MOST], to[MOST][MOST];

static void transpose(int rows, int columns) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            to[j][i] = from[i][i]; //~ fault within 3
}

int main(void) {
    int rows, columns;
    if (scanf("%d %d", &rows, &columns) != 2 || rows > MOST || columns > MOST)
        return 1;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            scanf("%d", &from[i][j]);
    transpose(rows, columns);
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < rows; j++)
            printf("%d%c", to[i][j], j + 1 < rows ? ' ' : '\n');
    return 0;
}
