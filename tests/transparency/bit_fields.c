// Bit-fields: signed, unsigned, Boolean, straddling, zero width, packed, volatile, in unions.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct fields {
    unsigned a : 3;
    signed b : 5;
    bool c : 1;
    unsigned long d : 40;
    int : 0;
    short e : 9;
    uint8_t f : 2;
};
struct __attribute__((packed)) tight {
    unsigned a : 5;
    unsigned b : 20;
    unsigned long c : 37;
    char tail;
};
union word {
    uint32_t whole;
    struct {
        uint32_t low : 12, middle : 10, high : 10;
    };
};
static volatile struct { unsigned x : 4, y : 28; } device;
static struct fields global = {5, -7, true, 0x123456789a, -100, 3};

static struct fields turned(struct fields f) {
    f.a += 6;
    f.b -= 12;
    f.c = !f.c;
    f.d <<= 3;
    f.e *= 3;
    f.f++;
    return f;
}

int main(void) {
    for (int i = 0; i < 4; i++) {
        global = turned(global);
        printf("%u %d %d %lx %d %u\n", global.a, global.b, global.c, (unsigned long)global.d, global.e, global.f);
    }
    struct tight t;
    memset(&t, 0, sizeof t);
    for (int i = 0; i < 10; i++) {
        t.a += i;
        t.b = t.b * 7 + t.a;
        t.c ^= (unsigned long)t.b << i;
        t.tail += i;
    }
    printf("%u %u %lx %d %zu\n", t.a, t.b, (unsigned long)t.c, t.tail, sizeof t);
    union word w = {.whole = 0xdeadbeef};
    w.middle++;
    w.high ^= w.low;
    printf("%x\n", w.whole);
    device.x = 9;
    device.y = device.x * 1000;
    device.x--;
    printf("%u %u\n", device.x, device.y);
    return 0;
}
