// A record is copied to where only shorter ones fit: the input must become longer than what was given.
//@ text: name=ann\n

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char record[256], *name = NULL;
    long length = read(0, record, sizeof record - 1);
    if (length < 6 || memcmp(record, "name=", 5) != 0)
        return 1;
    int room = 40;
    for (long i = 5; i < length; i++)
        room--;
    if (room < 0)
        *name = 0;
    printf("%d left\n", room);
}
