// Stack memory taken in loops and handed to other functions.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct link {
    struct link *next;
    int value;
};

static int sum(struct link *list) {
    int total = 0;
    for (; list; list = list->next) total = total * 2 + list->value;
    return total;
}

static char *joined(char *room, const char *a, const char *b) {
    strcpy(room, a);
    return strcat(room, b);
}

int main(void) {
    struct link *list = 0;
    for (int i = 0; i < 12; i++) {
        struct link *l = alloca(sizeof *l);
        l->next = list;
        l->value = i;
        list = l;
    }
    printf("%d\n", sum(list));
    printf("%s\n", joined(alloca(20), "left", "right"));
    char *aligned = __builtin_alloca_with_align(100, 512);
    aligned[99] = 'x';
    printf("%d %c\n", (int)((unsigned long)aligned % 64), aligned[99]);
    return 0;
}
