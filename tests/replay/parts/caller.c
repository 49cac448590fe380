#include <string.h>

struct record { int id; double weight; char name[20]; };

double call_doubles(double (*f)(double, float, int), int n) {
    double x = 1;
    for (int i = 0; i < n; i++) x = f(x, 0.5f + i, i);
    return x;
}
struct record call_records(struct record (*f)(struct record, int), int n) {
    struct record r = {1, 2.0, "r"};
    for (int i = 0; i < n; i++) r = f(r, i);
    return r;
}
int call_many(int (*f)(int, int, int, int, int, int, int, int, long), int n) {
    return f(n, 2, 3, 4, 5, 6, 7, 8, 9) + f(9, 8, 7, 6, 5, 4, 3, 2, n);
}
void call_void(void (*f)(void *), void *argument) { f(argument); }
long double call_long_double(long double (*f)(long double), int n) {
    long double x = 100;
    while (n-- > 0) x = f(x);
    return x;
}
