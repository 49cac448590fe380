// Static data: pointers into other data, tables of functions, designated and nested initialisers, flexible arrays.
#include <stddef.h>
#include <stdio.h>

struct item { const char *name; int values[3]; int (*apply)(int); struct item *next; };
static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }
static struct item last = {.name = "last", .values = {[1] = 5}, .apply = dec};
static struct item items[] = {{"zero", {1, 2, 3}, inc, &items[1]}, {"one", {[2] = 9}, dec, &last}};
static int *into = &items[1].values[2];
static char text[] = "editable", *pointer = text + 4;
static const long distance = offsetof(struct item, apply);
static struct { int n; short rest[]; } flexible = {3, {10, 20, 30}};
static union { float f; int i; } bits = {.f = 1.0f};
static double table[2][3] = {{1, 2, 3}, {4.5}};
static void *self = &self;
int common_symbol;
static int sum(int n) { static int total = 100; return total += n; }

int main(void) {
    for (struct item *i = items; i; i = i->next)
        printf("%s %d %d %d\n", i->name, i->values[1], i->values[2], i->apply(10));
    *into += 1;
    *pointer = 'Z';
    printf("%d %s %ld %d %x %g %d\n", items[1].values[2], text, distance, flexible.rest[2], bits.i, table[1][0], self == &self);
    struct item copy = items[0], array[2] = {copy, {.name = "n"}};
    copy.values[0] = 77;
    int *compound = (int[]){4, 5, 6, copy.values[0]};
    printf("%d %s %d %d\n", array[0].values[0], array[1].name, compound[3], ((struct item){.values = {8}}).values[0]);
    printf("%d %d %d\n", sum(1), sum(2), common_symbol);
    return 0;
}
