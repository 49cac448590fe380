#include <cstdio>
#include <string>

struct Cleaner {
    ~Cleaner() { std::printf("cleaned "); }
};
int call_and_clean(int (*f)(int), int n) {
    Cleaner cleaner;
    return f(n) + 1;
}
int throws_outside(int n) {
    if (n > 3) throw std::string("outside");
    return n;
}
int catches_outside(int (*f)(int), int n) {
    try {
        return f(n);
    } catch (int i) {
        return -i;
    }
}
