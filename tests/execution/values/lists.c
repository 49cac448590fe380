#include <stdio.h>
#include <stdlib.h>

struct list {
    struct list *next;
    int value;
};

static struct list *push(struct list *list, int value) {
    struct list *cell = malloc(sizeof *cell);
    cell->next = list; //~ values list: NULL &{next = NULL, value = 1} &{next = &{next = NULL, value = 1}, value = 2}
    cell->value = value; //~ values cell->next->value: ? 1 2
    return cell; //~ values cell->value: 1 2 3
}

int main(void) {
    struct list *list = NULL;
    for (int i = 1; i <= 3; i++)
        list = push(list, i);
    int sum = 0;
    for (struct list *l = list; l; l = l->next)
        sum += l->value; //~ values l->value: 3 2 1 //~ values sum: 0 3 5
    list->next->next->next = list;
    printf("%d\n", sum); //~ values list->next->next->next->value: 3 //~ values list->next->next: &{next = &{next = &{next = ADDRESS, value = 2}, value = 3}, value = 1}
    return 0;
}
