// Pairs of names and values, taken apart by strtok.
//@ text: a=1;b=2\n

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    int depth = 0;
    for (char *pair = strtok(line, ";\n"); pair; pair = strtok(NULL, ";\n")) {
        char *sign = strchr(pair, '=');
        if (!sign)
            return 1;
        *sign = 0;
        if (strcmp(pair, "depth") == 0)
            depth = strtol(sign + 1, NULL, 16);
        else if (strcmp(pair, "by") == 0 && depth == 0xbeef)
            printf("%d\n", depth / atoi(sign + 1));
    }
    printf("%d\n", depth);
}
