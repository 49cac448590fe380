/* A list from which numbers are removed; prints what is left. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *first;

static void append(int value) {
    struct node *made = malloc(sizeof *made);
    made->value = value;
    made->next = NULL;
    struct node **at = &first;
    while (*at != NULL)
        at = &(*at)->next;
    *at = made;
}

static void remove_value(int value) {
    struct node *at = first, *before = NULL;
    while (at->value != value) { //~ fault
        before = at;
        at = at->next;
    }
    if (at == NULL)
        return;
    if (before == NULL)
        first = at->next;
    else
        before->next = at->next;
    free(at);
}

int main(void) {
    char what;
    int value;
    while (scanf(" %c%d", &what, &value) == 2) {
        if (what == '+')
            append(value);
        else
            remove_value(value);
    }
    for (struct node *at = first; at != NULL; at = at->next)
        printf("%d\n", at->value);
    return 0;
}
