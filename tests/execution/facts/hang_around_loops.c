//@ time-limit: 1
//~ criterion: failure
// The outer loop does not end; the inner ones end in each of its turns.
#include <unistd.h>

int main(void) {
    int left = 3; //~ in slice
    int width = 4; //~ not in slice
    volatile int sum = 0; //~ not in slice
    while (left > 0) { //~ in slice
        for (int i = 0; i < width; i++) //~ not in slice
            sum += i; //~ not in slice
        usleep(2000); //~ not in slice
        do
            sum--; //~ not in slice
        while (sum > width); //~ not in slice
    }
    return sum; //~ not in slice
}
