//@ time-limit: 1
//~ criterion: failure
// The outer loop is at its second turn when the inner one does not end.
#include <unistd.h>

int main(void) {
    int step = 1; //~ not in slice
    volatile int sum = 0; //~ not in slice
    for (int turn = 0; turn < 5; turn++) { //~ in slice
        if (turn == 1) //~ in slice
            step = 0; //~ in slice
        for (int at = 0; at < 3; at += step) { //~ in slice
            sum++; //~ not in slice
            usleep(1000); //~ not in slice
        }
    }
    return sum; //~ not in slice
}
