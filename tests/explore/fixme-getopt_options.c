// Options as getopt reads them.
//@ arguments: -l 3 -v

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **words) {
    int option, level = 0, is_quiet = 0;
    while ((option = getopt(count, words, "l:vq")) != -1)
        switch (option) {
        case 'l':
            level = atoi(optarg);
            break;
        case 'q':
            is_quiet = 1;
            break;
        case 'v':
            break;
        default:
            return 1;
        }
    if (is_quiet && level == 81)
        abort();
    printf("%d\n", level);
}
