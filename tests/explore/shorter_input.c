// The last block of a message is divided among its parts: the input must become shorter than what was given.
//@ text: HEADER....body of the message

#include <stdio.h>

int main(void) {
    int count = 0, c;
    while ((c = getchar()) != EOF) {
        if (count == 0 && c != 'H')
            return 1;
        count++;
    }
    if (count < 4)
        return 1;
    if (count > 9)
        printf("%d\n", 1000 / (count - 9));
    else
        printf("%d\n", 1000 / (count - 7));
}
