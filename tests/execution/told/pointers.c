// Pointers are told by what they point to.
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

struct ring {
    int count, slots[4];
};

static struct ring ring;

static void *reserve(size_t size) {
    return malloc(size);
}

static void each(const char *at, int line) {
    const char *rest = at + line; //~ told rest = &line[3] in main
    (void)rest;
}

static int depth_of(struct node *node, int *deepest) {
    struct node own = {*deepest + 1, node};
    int *outer = deepest; //~ told outer = &deepest in main //~ told outer = &own.value of an outer call of depth_of
    (void)outer;
    return own.value < 2 ? depth_of(&own, &own.value) + 1 : 0;
}

static struct node *made(int value) {
    struct node *made = malloc(sizeof *made); //~ told made = the 1st struct node allocated at line 33 //~ told made = the 2nd struct node allocated at line 33
    made->value = value;
    made->next = NULL; //~ told made->next = NULL
    return made; //~ told made returns the 2nd struct node allocated at line 33
}

int main(int argc, char **argv) {
    char line[8] = "abcdefg";
    int deepest = 0, count = 3 + argc;
    int array[count];
    each(line, 3);
    int *slot = &ring.slots[argc + 1]; //~ told slot = &ring.slots[2]
    struct ring *whole = &ring; //~ told whole = &ring
    int *counted = &ring.count; //~ told counted = &ring.count
    char *end = strchr(line, 'c'); //~ told end = &line[2] //~ told calls strchr(line, 'c')
    int *second = array + argc; //~ told second = &array[1]
    struct node *first = made(1), *last = made(2);
    struct node **link = &first->next; //~ told link = member next of the 1st struct node allocated at line 33
    int *numbers = reserve(10 * sizeof *numbers); //~ told numbers = the int[10] allocated at line 51
    int *third = numbers + 2; //~ told third = element 2 of the int[10] allocated at line 51
    char *copy = strdup(line); //~ told copy = the char[8] allocated at line 53
    char *name = argv[0]; //~ told name = *argv
    int *far = slot + 100000000; //~ told far = &slot[100000000]
    free(last);
    deepest += argc - 1;
    struct node *dangling = last; //~ told dangling = the 2nd struct node allocated at line 33, freed at line 56
    depth_of(first, &deepest);
    return dangling == NULL || link == NULL || third == NULL || copy == NULL || name == NULL || far == NULL
        || whole == NULL || counted == NULL || end == NULL || second == NULL;
}
