//@ flags: -std=c++20
// Coroutines: suspended, resumed, with values, exceptions and destruction before the end.
#include <coroutine>
#include <cstdio>
#include <exception>

struct Generator {
    struct promise_type {
        int value = 0;
        std::exception_ptr failure;
        Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v) {
            value = v;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { failure = std::current_exception(); }
    };
    std::coroutine_handle<promise_type> handle;
    ~Generator() { handle.destroy(); }
    bool next() {
        handle.resume();
        if (handle.promise().failure) std::rethrow_exception(handle.promise().failure);
        return !handle.done();
    }
    int value() const { return handle.promise().value; }
};
struct Noisy {
    ~Noisy() { std::printf("gone "); }
};

static Generator fibonacci(int limit) {
    Noisy noisy;
    int a = 0, b = 1;
    while (a < limit) {
        co_yield a;
        int next = a + b;
        a = b;
        b = next;
    }
}
static Generator failing() {
    co_yield 1;
    throw 5;
}

int main() {
    {
        Generator g = fibonacci(100);
        while (g.next()) std::printf("%d ", g.value());
        Generator early = fibonacci(1000);
        early.next();
    }
    Generator f = failing();
    try {
        while (f.next()) std::printf("%d ", f.value());
    } catch (int i) {
        std::printf("caught %d\n", i);
    }
}
