#include <stdio.h>

union number {
    float f;
    unsigned u;
    unsigned char bytes[4];
};

struct tagged {
    enum { NONE, INT, TEXT } kind;
    union {
        int i;
        const char *text;
    };
};

int main(void) {
    union number n = {.f = 1.0f};
    struct tagged t = {.kind = TEXT, .text = "word"};
    n.u += 1; //~ values n: {f = 1.0, u = 1065353216, bytes = {0, 0, 128, 63}}
    printf("%u %s\n", n.bytes[0], t.text); //~ values n.bytes[0]: 1 //~ values t.text: "word" //~ values t.kind: TEXT
    t.kind = INT;
    t.i = 5;
    return t.i - 5; //~ values t.i: 5 //~ values t.kind: INT
}
