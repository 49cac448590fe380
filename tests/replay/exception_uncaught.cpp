//@ ends: signal 6
// An exception nobody catches: terminate, with a handler of the program's own.
#include <cstdio>
#include <cstdlib>
#include <exception>

static void own_terminate() {
    std::printf("terminate\n");
    std::fflush(stdout);
    std::abort();
}
struct Tracer {
    ~Tracer() { std::printf("not unwound\n"); }
};
static void fails() noexcept {
    Tracer tracer;
    throw 5;
}

int main() {
    std::set_terminate(own_terminate);
    try {
        fails();
    } catch (int) {
        std::printf("not caught\n");
    }
}
