// A calculator with parentheses; it divides by what stands between them.
//@ text: 1+2

#include <stdio.h>
#include <stdlib.h>

static const char *at;
static int depth, deepest;

static int sum(void);

static int atom(void) {
    if (*at == '(') {
        at++;
        if (++depth > deepest)
            deepest = depth;
        int value = sum();
        depth--;
        if (*at++ != ')')
            exit(1);
        return value;
    }
    if (*at < '0' || *at > '9')
        exit(1);
    int value = 0;
    while (*at >= '0' && *at <= '9')
        value = value * 10 + *at++ - '0';
    return value;
}

static int product(void) {
    int value = atom();
    while (*at == '*' || *at == '/') {
        char what = *at++;
        int other = atom();
        if (what == '*')
            value *= other;
        else if (other != 0 || deepest > 1)
            value /= other;
    }
    return value;
}

static int sum(void) {
    int value = product();
    while (*at == '+' || *at == '-')
        value = *at++ == '+' ? value + product() : value - product();
    return value;
}

int main(void) {
    char text[64];
    if (!fgets(text, sizeof text, stdin))
        return 1;
    at = text;
    printf("%d\n", sum());
}
