//@ time-limit: 1
//~ criterion: failure
// Nothing could leave the loop, so the question is why it was begun.
#include <unistd.h>

static void rest(void) { usleep(2000); } //~ not in slice

int main(int argc, char **argv) {
    volatile int turns = 0; //~ not in slice
    int begin = argc; //~ in slice
    if (begin > 0) //~ in slice
        for (;;)
            rest();
    return turns; //~ not in slice
}
