//@ ends: signal 11
// A null pointer is written to, deep in the program.
#include <stdio.h>
#include <stdlib.h>

struct node { struct node *next; int value; };

static int sum(struct node *n) {
    int total = 0;
    do {
        total += n->value;
        n = n->next;
        n->value++;
    } while (n);
    return total;
}

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node){list, i};
        list = n;
    }
    puts("before");
    fflush(stdout);
    printf("%d\n", sum(list));
    return 0;
}
