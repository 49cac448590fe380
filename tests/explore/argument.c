// An argument with a number in it.
//@ arguments: -v --level=3

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    static const char *levels[] = {"none", "some", "more", "most"};
    for (int i = 1; i < count; i++)
        if (strncmp(words[i], "--level=", 8) == 0) {
            int level = atoi(words[i] + 8);
            if (level < 0 || level > 4)
                return 1;
            puts(level == 4 ? (abort(), "") : levels[level]);
        }
}
