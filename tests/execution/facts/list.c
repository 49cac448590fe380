//~ criterion: output 1
// To reach the last cell is to use all links on the way, but not what the other cells hold.
#include <stdio.h>
#include <stdlib.h>

struct cell { int value; struct cell *next; };

static struct cell *push(struct cell *list, int value) {
    struct cell *cell = malloc(sizeof *cell); //~ in slice
    cell->value = value; //~ in slice
    cell->next = list; //~ in slice
    return cell; //~ in slice
}

int main(void) {
    struct cell *list = NULL;
    int length = 0; //~ not in slice
    for (int i = 1; i <= 3; i++) //~ controls: 18 19 //~ in slice
        list = push(list, i); //~ in slice
    for (struct cell *c = list; c; c = c->next) //~ not in slice
        length++; //~ not in slice
    struct cell *last = list; //~ in slice
    while (last->next) //~ controls: 23 24 //~ in slice
        last = last->next; //~ in slice //~ origin: 11 24
    putchar('0' + last->value); //~ in slice //~ origin: 10 24
    printf("%d\n", length); //~ not in slice
    return 0;
}
