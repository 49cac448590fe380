// Errors are thrown at several places; one kind of them nobody catches.
//@ text: 1,2\n

#include <cctype>
#include <cstdio>
#include <string>

struct Syntax {
    int at;
};

struct Range {
    int value;
};

struct Depth {};

static int number(const std::string &text, std::size_t &at) {
    if (at >= text.size() || !isdigit((unsigned char)text[at]))
        throw Syntax{(int)at};
    int value = 0;
    while (at < text.size() && isdigit((unsigned char)text[at]))
        value = value * 10 + text[at++] - '0';
    if (value > 9999)
        throw Range{value};
    return value;
}

int main() {
    std::string text;
    for (int c; (c = getchar()) != EOF;)
        text += c;
    int failures = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        try {
            number(text, at);
        } catch (const Syntax &) {
            failures++;
        } catch (const Range &) {
            if (failures == 2)
                throw Depth{};
        }
        at++;
    }
    printf("%d\n", failures);
}
