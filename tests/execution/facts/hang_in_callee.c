//@ time-limit: 1
//~ criterion: failure
// The loop that does not end is the caller's: each call comes back.
#include <unistd.h>

static volatile int noise;

static int advance(int position) {
    for (int i = 0; i < 10; i++)
        noise = i; //~ not in slice
    usleep(2000); //~ not in slice
    if (position == 3) //~ controls: 13 14 //~ in slice
        return position; //~ in slice
    return position + 1; //~ in slice
}

int main(void) {
    int end = 6; //~ in slice
    int position = 0; //~ in slice
    while (position < end) //~ controls: 20 21 //~ in slice
        position = advance(position); //~ in slice
    return position; //~ not in slice
}
