//@ library: parts/plugin.c
//@ flags: -ldl
// An instrumented shared library loaded while the program runs: calls both ways, its data, its constructors, twice.
#include <dlfcn.h>
#include <stdio.h>

int provided_by_main(int x) { return x * 2; }
static int callback(int x) { return x + 100; }

int main(void) {
    for (int round = 0; round < 2; round++) {
        void *library = dlopen("./libplugin.so", RTLD_NOW);
        if (!library) {
            puts(dlerror());
            return 1;
        }
        int (*plugin)(int, int (*)(int)) = (int (*)(int, int (*)(int)))dlsym(library, "plugin");
        int *counter = dlsym(library, "plugin_counter");
        *counter += 10;
        printf("%d %d\n", plugin(5, callback), *counter);
        printf("%d\n", plugin(6, provided_by_main));
        dlclose(library);
    }
    return 0;
}
