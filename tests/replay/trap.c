//@ ends: signal 4
// An instruction that must not be reached.
#include <stdio.h>

static int known(int kind) {
    switch (kind) {
    case 1: return 10;
    case 2: return 20;
    default: __builtin_trap();
    }
}

int main(void) {
    setvbuf(stdout, 0, _IONBF, 0);
    for (int i = 1; i < 4; i++) printf("%d\n", known(i));
    return 0;
}
