//@ arguments: 0
// A region with one entry and several exits: a break keeps the use from executing in its turn, and in later ones. Shaped as
// figure 3 of "Towards Locating Execution Omission Errors".
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int leave = atoi(argv[1]);
    int sum = 0, i = 0;
    while (i < 4) {
        if (leave == i + 1)
            break;
        if (i % 2)
            sum += 10;
        sum += i; // the use
        i++;
    }
    printf("%d\n", sum); // after
    return 0;
}
