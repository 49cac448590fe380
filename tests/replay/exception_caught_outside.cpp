//@ outside: parts/c_caller.cpp
// Exceptions that are thrown and caught by code that is not instrumented. Nothing here lands or cleans up.
#include <cstdio>

extern "C" int catches(int (*f)(int), int n);
extern "C" void throws(int n);

static int inner(int n) {
    std::printf("inner %d\n", n);
    if (n > 1) throws(n);
    return n * 2;
}
static int outer(int n) {
    int result = catches(inner, n);
    std::printf("result %d\n", result);
    if (n == 3) throws(n);
    return result + inner(0);
}

int main() {
    for (int i = 0; i < 5; i++) std::printf("%d\n", catches(outer, i));
}
