/* Commands of a queue: "+ N" puts a number at its end, "-" takes one from its front. */
#include <stdio.h>
#include <stdlib.h>

struct entry {
    int number;
    struct entry *next;
};

static struct entry *first, *last;

static void put(int number) {
    struct entry *e = malloc(sizeof *e);
    e->number = number;
    e->next = NULL;
    if (first)
        last->next = e;
    else
        first = e;
    last = e;
}

static int take(void) {
    struct entry *e = first;
    int number = e->number;
    first = NULL; //~ fault within 5
    free(e);
    return number;
}

int main(void) {
    char command;
    int number, waiting = 0;
    while (scanf(" %c", &command) == 1) {
        if (command == '+' && scanf("%d", &number) == 1) {
            put(number);
            waiting++;
        } else if (command == '-' && waiting > 0) {
            printf("%d\n", take());
            waiting--;
        }
    }
    return 0;
}
