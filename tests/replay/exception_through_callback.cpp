//@ outside: parts/cpp_caller.cpp
// Exceptions that cross code which is not instrumented, in both directions.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

int call_and_clean(int (*f)(int), int n);
int throws_outside(int n);
int catches_outside(int (*f)(int), int n);

static int compare(const void *a, const void *b) {
    if (*static_cast<const int *>(a) == 7) throw std::runtime_error("seven");
    return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}
struct Guard {
    int n;
    ~Guard() { std::printf("guard %d ", n); }
};
static int thrower(int n) {
    Guard guard{n};
    if (n % 2) throw n;
    return n * 10;
}
static int nested(int n) {
    try {
        return call_and_clean(thrower, n) + throws_outside(n);
    } catch (const std::string &s) {
        std::printf("string %s ", s.c_str());
        throw;
    }
}

int main() {
    int numbers[] = {4, 9, 7, 1, 3};
    try {
        std::qsort(numbers, 5, sizeof *numbers, compare);
    } catch (std::runtime_error &e) {
        std::printf("%s\n", e.what());
    }
    for (int i = 0; i < 6; i++) {
        try {
            std::printf("value %d\n", call_and_clean(nested, i));
        } catch (int n) {
            std::printf("int %d\n", n);
        } catch (std::string &s) {
            std::printf("outer %s\n", s.c_str());
        }
        std::printf("%d\n", catches_outside(thrower, i));
    }
}
