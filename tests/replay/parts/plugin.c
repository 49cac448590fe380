#include <stdio.h>

int plugin_counter = 1;
static __thread int calls;
__attribute__((constructor)) static void loaded(void) { plugin_counter += 5; }
__attribute__((destructor)) static void unloaded(void) { printf("unloaded %d\n", plugin_counter); }

int plugin(int x, int (*callback)(int)) {
    plugin_counter++;
    calls++;
    int sum = 0;
    for (int i = 0; i < x; i++) sum += callback(i) * calls;
    return sum;
}
