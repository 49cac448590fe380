// volatile objects of several types, locals and globals, and pointers to them.
#include <stdio.h>

static volatile int global = 3;
static volatile struct { char c; double d; } record;

int main(void) {
    volatile int local = 5;
    volatile int *p = &local;
    for (int i = 0; i < 10; i++) {
        global += local;
        *p = *p + global % 3;
        record.d += global;
        record.c++;
    }
    volatile long double extended = record.d / 3;
    volatile _Bool flag = global > 5;
    printf("%d %d %d %g %La %d\n", global, local, record.c, record.d, extended, flag);
    return 0;
}
