//@ with: parts/static_initialisation_other.cpp
// Objects constructed before main and destroyed after it, in two translation units, and on first use.
#include <cstdio>
#include <cstdlib>

struct Logger {
    const char *name;
    explicit Logger(const char *name) : name(name) { std::printf("+%s\n", name); }
    ~Logger() { std::printf("-%s\n", name); }
};

extern int other_value;
static Logger first("first");
static Logger second("second");
int computed = std::abs(-5) * 2;

Logger &on_first_use() {
    static Logger local("local");
    return local;
}
__attribute__((init_priority(200))) Logger early("early");

int main() {
    std::printf("main %d %d\n", computed, other_value);
    on_first_use();
    std::printf("%s\n", on_first_use().name);
    static Logger in_main("in main");
    std::atexit([] { std::printf("at exit\n"); });
}
