int outside_twice(int (*f)(int), int x) { return f(f(x)); }
void outside_each(int *numbers, int count, void (*f)(int *)) {
    for (int i = 0; i < count; i++)
        f(&numbers[i]);
}
int outside_plus(int a, int b) { return a + b; }
