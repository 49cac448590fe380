// A variable of the environment chooses how to work.
//@ variable: MODE=fast:1

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *mode = getenv("MODE");
    if (!mode)
        return 1;
    const char *colon = strchr(mode, ':');
    if (!colon)
        return 1;
    if (colon - mode == 4 && memcmp(mode, "slow", 4) == 0 && atoi(colon + 1) == 7)
        abort();
    puts("works");
}
