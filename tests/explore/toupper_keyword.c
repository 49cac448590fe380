// Keywords in capital or small letters.
//@ text: let x be 1

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    for (char *at = line; *at; at++)
        *at = toupper((unsigned char)*at);
    if (strncmp(line, "GOTO ", 5) == 0) {
        int target = atoi(line + 5);
        if (target % 10 == 0 && target > 990)
            abort();
        printf("to %d\n", target);
    }
}
