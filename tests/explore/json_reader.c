// A reader of values, lists and objects; a list in an object in a list has no end of its own.
//@ text: {"a":1}

#include <stdio.h>
#include <stdlib.h>

static const char *at;

static void fail(void) {
    puts("no JSON");
    exit(1);
}

static void blanks(void) {
    while (*at == ' ' || *at == '\n')
        at++;
}

static void text(void) {
    if (*at++ != '"')
        fail();
    for (; *at != '"'; at++) {
        if (*at == 0)
            fail();
        if (*at == '\\' && !*++at)
            fail();
    }
    at++;
}

static int value(int lists, int objects) {
    blanks();
    if (*at == '[') {
        if (lists == 1 && objects == 1)
            abort();
        at++;
        blanks();
        if (*at == ']')
            return at++, 0;
        for (;;) {
            value(lists + 1, objects);
            blanks();
            if (*at == ']')
                return at++, 0;
            if (*at++ != ',')
                fail();
        }
    }
    if (*at == '{') {
        at++;
        for (;;) {
            blanks();
            text();
            blanks();
            if (*at++ != ':')
                fail();
            value(lists, lists ? objects + 1 : 0);
            blanks();
            if (*at == '}')
                return at++, 0;
            if (*at++ != ',')
                fail();
        }
    }
    if (*at == '"')
        return text(), 0;
    if (*at < '0' || *at > '9')
        fail();
    while (*at >= '0' && *at <= '9')
        at++;
    return 0;
}

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    at = line;
    value(0, 0);
    puts("JSON");
}
