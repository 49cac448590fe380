// Nobody knows what was not assigned, until it is read.
#include <stdio.h>

static int leave(void) {
    volatile int marks[4] = {1, 2, 3, 4};
    return marks[3];
}

static int find(int wanted) {
    int place;
    if (wanted)
        place = 3; //~ values place: ?
    return wanted ? place : 0; //~ values place: 3 ?
}

int main(void) {
    int sum = leave() + find(1) + find(0);
    printf("%d\n", sum); //~ values sum: 7
    return 0;
}
