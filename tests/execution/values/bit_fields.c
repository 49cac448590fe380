#include <stdio.h>

struct flags {
    unsigned ready : 1;
    int level : 3;
    unsigned count : 12;
    unsigned long wide : 40;
    _Bool last : 1;
};

int main(void) {
    struct flags f = {0};
    f.ready = 1;
    f.level = -2;
    for (int i = 0; i < 3; i++)
        f.count += 1500; //~ values f.count: 0 1500 3000
    f.wide = 1ul << 39;
    f.last = 1; //~ values f: {ready = 1, level = -2, count = 404, wide = 549755813888, last = false}
    printf("%d %d\n", f.level, f.count); //~ values f.last: true //~ values f.level: -2
    return 0;
}
