//@ with: parts/templates_other.cpp
//@ flags: -std=c++20
// The same templates and inline functions in two translation units: one copy is linked.
#include <cstdio>
#include <string>

#include "parts/templates.h"

int from_other(int);
int *counter_of_other();
template <> int Stack<char>::total() const { return 1000; }

template <typename... Ts> auto sum(Ts... ts) { return (ts + ... + 0); }
template <int N> struct Factorial { static constexpr long value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr long value = 1; };
template <typename T> concept Small = sizeof(T) <= 4;
template <Small T> const char *size_of(T) { return "small"; }
template <typename T> const char *size_of(T) { return "large"; }

int main() {
    Stack<int> ints;
    Stack<char> chars;
    for (int i = 0; i < 10; i++) ints.push(i * i), chars.push(static_cast<char>(i));
    std::printf("%d %d %d\n", ints.total(), chars.total(), from_other(5));
    std::printf("%d %d\n", counted(), counted());
    std::printf("%d\n", counter_of_other() == counter_address());
    std::printf("%d %g %ld\n", sum(1, 2, 3), sum(1.5, 2), Factorial<12>::value);
    std::printf("%s %s\n", size_of('c'), size_of(1.0));
    std::printf("%s\n", joined(std::string("a"), std::string("b")).c_str());
}
