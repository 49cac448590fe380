// A variable of the environment that is not set in the run that was given.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *place = getenv("FAULTLINE_TEST_PLACE");
    if (!place) {
        puts("here");
        return 0;
    }
    if (strcmp(place, "far") == 0)
        abort();
    puts("there");
}
