// Options as a program reads them by itself: letters may stand together, and one of them wants a value.
//@ arguments: -ab -n5 file

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
    int all = 0, brief = 0, copies = 1, i = 1;
    for (; i < count && words[i][0] == '-'; i++)
        for (char *letter = words[i] + 1; *letter; letter++) {
            if (*letter == 'a')
                all++;
            else if (*letter == 'b')
                brief++;
            else if (*letter == 'n') {
                copies = atoi(letter + 1);
                break;
            } else {
                return 1;
            }
        }
    if (brief == 0 && all == 2)
        printf("%d\n", 100 / copies);
    return 0;
}
