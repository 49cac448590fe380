//@ flags: -std=c++20
// Copying, moving, new and delete in all forms, aligned allocation, arrays, temporaries, reference extension.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <utility>

static int alive, copies, moves;
struct Counted {
    char *text;
    Counted(const char *t = "default") : text(strdup(t)) { alive++; }
    Counted(const Counted &o) : text(strdup(o.text)) { alive++, copies++; }
    Counted(Counted &&o) noexcept : text(std::exchange(o.text, nullptr)) { alive++, moves++; }
    Counted &operator=(Counted o) noexcept {
        std::swap(text, o.text);
        return *this;
    }
    ~Counted() { free(text), alive--; }
};
struct alignas(64) Aligned { int x[20]; };
static int own_news;
struct Own {
    long x;
    static void *operator new(std::size_t n) { return own_news++, std::malloc(n); }
    static void operator delete(void *p) { own_news += 10, std::free(p); }
};
static Counted make(int n) {
    Counted a("a"), b("b");
    if (n) return a;
    return b;
}
static int count(std::initializer_list<Counted> list) {
    int n = 0;
    for (auto &c : list) n += static_cast<int>(std::strlen(c.text));
    return n;
}

int main() {
    {
        Counted a, b = a, c = std::move(a);
        a = make(1);
        b = c;
        const Counted &extended = make(0);
        std::printf("%s %s %s %s %d\n", a.text, b.text, c.text, extended.text, alive);
        Counted *array = new Counted[5];
        array[3] = Counted("third");
        std::printf("%s %d\n", array[3].text, alive);
        delete[] array;
        alignas(Counted) unsigned char room[sizeof(Counted)];
        Counted *placed = new (room) Counted("placed");
        std::printf("%s\n", placed->text);
        placed->~Counted();
        std::printf("%d\n", count({"one", "two", "three"}));
    }
    auto aligned = std::make_unique<Aligned>();
    std::printf("%d\n", static_cast<int>(reinterpret_cast<unsigned long>(aligned.get()) % 64));
    delete new Own{5};
    auto shared = std::make_shared<Counted>("shared");
    std::weak_ptr<Counted> weak = shared;
    auto second = shared;
    std::printf("%ld ", shared.use_count());
    shared.reset(), second.reset();
    std::printf("%d %d\n", weak.expired(), own_news);
    int *none = new (std::nothrow) int(5);
    std::printf("%d %d %d %d\n", *none, alive, copies, moves);
    delete none;
}
