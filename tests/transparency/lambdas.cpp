//@ flags: -std=c++20
// Lambdas: captures, state, recursion, generic, as functions, stored and called later.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

static std::function<int(int)> adder(int by) {
    return [by, calls = 0](int x) mutable { return x + by + calls++; };
}

static int apply(int (*f)(int), int x) { return f(x); }

int main() {
    int local = 3;
    auto by_reference = [&local](int x) { return local += x; };
    auto by_value = [=] { return local * 10; };
    by_reference(4);
    std::printf("%d %d\n", local, by_value());
    auto add = adder(5);
    std::printf("%d %d %d\n", add(1), add(1), adder(7)(1));
    std::printf("%d\n", apply([](int x) { return x * x; }, 9));
    auto generic = [](auto a, auto b) { return a + b; };
    std::printf("%d %s\n", generic(1, 2), generic(std::string("a"), "b").c_str());
    std::function<long(int)> fibonacci = [&](int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); };
    std::printf("%ld\n", fibonacci(15));
    std::vector<int> v(20);
    std::iota(v.begin(), v.end(), -7);
    std::sort(v.begin(), v.end(), [m = 5](int a, int b) { return std::abs(a % m) != std::abs(b % m) ? std::abs(a % m) < std::abs(b % m) : a < b; });
    for (int i : v) std::printf("%d ", i);
    auto owner = std::make_unique<int>(8);
    auto moved = [p = std::move(owner)] { return *p; };
    std::printf("%d %d\n", moved(), owner == nullptr);
    std::vector<std::function<void()>> later;
    for (int i = 0; i < 3; i++) later.push_back([i] { std::printf("later %d ", i); });
    for (auto &f : later) f();
    auto templated = []<typename T>(std::vector<T> const &x) { return x.size() * sizeof(T); };
    std::printf("%zu\n", templated(v));
}
