//@ time-limit: 1
//~ criterion: failure
// The writing end of the pipe was never closed, so the last read waits.
#include <unistd.h>

int main(void) {
    int ends[2];
    char byte;
    int count = 0; //~ not in slice
    if (pipe(ends) != 0) //~ in slice
        return 1;
    if (write(ends[1], "abc", 3) != 3) //~ in slice
        return 1;
    while (read(ends[0], &byte, 1) == 1) //~ in slice
        count++; //~ not in slice
    return count; //~ not in slice
}
