//@ flags: -std=c++20
// Overloaded operators, conversions, default arguments, references, constant evaluation, friends, user literals.
#include <compare>
#include <cstdio>
#include <string>

struct Money {
    long cents;
    constexpr explicit Money(long c) : cents(c) {}
    constexpr Money operator+(Money o) const { return Money(cents + o.cents); }
    Money &operator*=(double f) {
        cents = static_cast<long>(cents * f);
        return *this;
    }
    auto operator<=>(const Money &) const = default;
    explicit operator bool() const { return cents != 0; }
    long operator()(int n) const { return cents * n; }
    int operator[](int digit) const { return static_cast<int>(cents >> digit & 1); }
    Money operator++(int) {
        Money old = *this;
        cents++;
        return old;
    }
    friend Money operator-(Money a, Money b) { return Money(a.cents - b.cents); }
};
constexpr Money operator""_eur(unsigned long long e) { return Money(static_cast<long>(e) * 100); }
constexpr long power(long b, int n) { return n ? b * power(b, n - 1) : 1; }
static int with_default(int a, int b = 5, const std::string &c = "text") { return a + b + static_cast<int>(c.size()); }
static int &largest(int &a, int &b) { return a > b ? a : b; }
namespace deep::inner {
inline namespace v1 {
static int value() { return 11; }
}
}
struct Number {
    int n;
    Number(int n) : n(n) {}
    operator int() const { return n * 2; }
};

int main() {
    Money m = 3_eur + Money(50);
    m *= 1.5;
    std::printf("%ld %d %d %ld %d\n", m.cents, m > 5_eur, m == Money(525), m(3), m[2]);
    Money old = m++;
    std::printf("%ld %ld %d\n", old.cents, (m - old).cents, static_cast<bool>(m - m));
    static_assert(power(3, 5) == 243);
    int a = 3, b = 9;
    largest(a, b) = 1;
    std::printf("%d %d %d %d\n", a, b, with_default(1), with_default(1, 2, std::string("longer")));
    std::printf("%d %d %ld\n", deep::inner::value(), Number(4) + 1, power(a, 7));
    if (auto c = a <=> b; c > 0) std::printf("greater\n");
    enum class Level : unsigned char { low = 1, high = 200 };
    std::printf("%d %zu\n", static_cast<int>(Level::high), sizeof(Level));
}
