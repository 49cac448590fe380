//@ time-limit: 1
//~ criterion: failure
// The loop goes on because of what its condition reads.
#include <unistd.h>

int main(void) {
    int n = 5; //~ in slice
    int step = 0; //~ in slice
    volatile int turns = 0; //~ not in slice
    while (n > 0) { //~ controls: 10 11 12 13 //~ in slice
        n -= step; //~ in slice
        turns++; //~ not in slice
        usleep(2000); //~ not in slice
    }
    return turns; //~ not in slice
}
