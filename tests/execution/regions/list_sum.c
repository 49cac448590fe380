//@ arguments: 0
// Sums a list; a wrong condition skips an element. Shaped as figure 2 of "Comparison-based Computation of Causal Paths".
#include <stdio.h>
#include <stdlib.h>

struct element {
    int value;
    struct element *next;
};

int main(int argc, char **argv) {
    struct element third = {3, NULL}, second = {2, &third}, first = {1, &second};
    int wrong = atoi(argv[1]);
    int sum = 0;
    struct element *p = &first;
    while (p) { // loop
        int skip = p->value == 2 && wrong;
        if (skip) // choice
            p = p->next; // skipped
        if (p)
            sum += p->value; // added
        if (p)
            p = p->next;
    }
    printf("%d\n", sum); // printed
    return 0;
}
