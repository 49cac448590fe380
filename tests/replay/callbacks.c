//@ outside: parts/caller.c
// The C library and other code that is not instrumented call back, nested and with many types of arguments.
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compared;
static int by_value(const void *a, const void *b) {
    compared++;
    return *(const int *)a - *(const int *)b;
}
static int by_length(const void *a, const void *b) {
    int numbers[] = {3, 1, 2};
    qsort(numbers, 3, sizeof *numbers, by_value);
    size_t n = strlen(*(char *const *)a), m = strlen(*(char *const *)b);
    return n != m ? (n < m ? -1 : 1) * numbers[0] : strcmp(*(char *const *)a, *(char *const *)b);
}
static int with_context(const void *a, const void *b, void *context) {
    ++*(int *)context;
    return *(const char *)b - *(const char *)a;
}
static void visit(const void *node, VISIT order, int level) {
    if (order == postorder || order == leaf) printf("%d/%d ", **(int *const *)node, level);
}

struct record { int id; double weight; char name[20]; };
double call_doubles(double (*f)(double, float, int), int n);
struct record call_records(struct record (*f)(struct record, int), int n);
int call_many(int (*f)(int, int, int, int, int, int, int, int, long), int n);
void call_void(void (*f)(void *), void *argument);
long double call_long_double(long double (*f)(long double), int n);

static double mix(double a, float b, int c) { return a * b + c; }
static struct record grow(struct record r, int by) {
    r.id += by;
    r.weight *= 1.5;
    strcat(r.name, "x");
    return r;
}
static int many(int a, int b, int c, int d, int e, int f, int g, int h, long i) { return a + b * c + d * e + f * g + h * (int)i; }
static void bump(void *p) { ++*(int *)p; }
static long double third(long double x) { return x / 3 + 1; }
static void inner(void *p) {
    call_void(bump, p);
    call_void(bump, p);
}

int main(void) {
    int numbers[200];
    for (int i = 0; i < 200; i++) numbers[i] = i * 7919 % 1009;
    qsort(numbers, 200, sizeof *numbers, by_value);
    int key = numbers[77];
    int *found = bsearch(&key, numbers, 200, sizeof *numbers, by_value);
    printf("%d %d %td\n", numbers[0], numbers[199], found - numbers);
    const char *words[] = {"pear", "fig", "apple", "kiwi", "date", "cherry"};
    qsort(words, 6, sizeof *words, by_length);
    for (int i = 0; i < 6; i++) printf("%s ", words[i]);
    char letters[] = "reentrant";
    int calls = 0;
    qsort_r(letters, 9, 1, with_context, &calls);
    printf("%s %d\n", letters, calls > 0);
    void *tree = 0;
    for (int i = 0; i < 10; i++) tsearch(&numbers[(i * 37) % 200], &tree, by_value);
    twalk(tree, visit);
    printf("\n%a\n", call_doubles(mix, 10));
    struct record r = call_records(grow, 5);
    printf("%d %g %s\n", r.id, r.weight, r.name);
    printf("%d %La\n", call_many(many, 9), call_long_double(third, 20));
    call_void(inner, &key);
    printf("%d %d\n", key, compared > 200);
    return 0;
}
