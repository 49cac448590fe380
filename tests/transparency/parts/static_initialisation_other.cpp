#include <cstdio>

static int make() {
    std::printf("other\n");
    return 33;
}
int other_value = make();
static struct Last {
    ~Last() { std::printf("other gone\n"); }
} last;
