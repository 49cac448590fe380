// Exceptions: types, order of destructors, nesting, rethrowing, catching by reference, function try blocks.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

struct Tracer {
    int id;
    explicit Tracer(int id) : id(id) { std::printf("+%d ", id); }
    Tracer(const Tracer &other) : id(other.id + 100) { std::printf("c%d ", id); }
    ~Tracer() { std::printf("-%d ", id); }
};

struct Failure : std::runtime_error {
    Tracer tracer;
    Failure(const char *what, int id) : std::runtime_error(what), tracer(id) {}
};

static void thrower(int kind) {
    Tracer local(kind);
    switch (kind) {
    case 0: throw 42;
    case 1: throw std::string("text");
    case 2: throw Failure("failure", 50);
    case 3: throw std::out_of_range("range");
    case 4: throw "literal";
    case 5: throw 2.5;
    default: break;
    }
}

static int caught(int kind) {
    Tracer outer(10 + kind);
    try {
        Tracer inner(20 + kind);
        thrower(kind);
        return 0;
    } catch (int i) {
        std::printf("int %d ", i);
        return 1;
    } catch (const std::string &s) {
        std::printf("string %s ", s.c_str());
        return 2;
    } catch (const Failure &f) {
        std::printf("failure %s %d ", f.what(), f.tracer.id);
        return 3;
    } catch (const std::exception &e) {
        std::printf("exception %s ", e.what());
        return 4;
    } catch (const char *s) {
        std::printf("literal %s ", s);
        return 5;
    } catch (...) {
        std::printf("anything ");
        return 6;
    }
}

static void rethrows() {
    try {
        thrower(2);
    } catch (std::exception &) {
        try {
            throw;
        } catch (Failure &f) {
            f.tracer.id++;
            try {
                throw 1;
            } catch (int) {
            }
            throw;
        }
    }
}

struct Member {
    Member() { throw 7; }
};
struct Holder {
    Tracer before{60};
    Member member;
    Holder() try : member() {
    } catch (int i) {
        std::printf("constructor %d ", i);
    }
};

static std::exception_ptr kept() {
    try {
        std::vector<int>().at(3);
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

static int depth(int n) {
    Tracer *on_heap = n % 2 ? new Tracer(200 + n) : nullptr;
    try {
        if (n == 0) throw n;
        return depth(n - 1);
    } catch (int i) {
        delete on_heap;
        if (n < 4) throw i + n;
        return i;
    }
}

int main() {
    for (int kind = 0; kind < 7; kind++) std::printf("= %d\n", caught(kind));
    try {
        rethrows();
    } catch (Failure &f) {
        std::printf("again %d\n", f.tracer.id);
    }
    try {
        Holder holder;
    } catch (int i) {
        std::printf("outside %d\n", i);
    }
    try {
        std::rethrow_exception(kept());
    } catch (std::out_of_range &) {
        std::printf("kept\n");
    }
    std::printf("%d\n", depth(6));
    int count = 0;
    for (int i = 0; i < 200; i++) try {
            if (i % 3 == 0) throw i;
        } catch (int n) {
            count += n;
        }
    std::printf("%d %d\n", count, std::uncaught_exceptions());
}
