// A program that loads the library while it runs, closes it, and loads it again.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int (*twice)(int, int (*)(int));
static int add(int x) { return x + 1; }
static void *work(void *nothing) {
    printf("thread %d\n", twice(7, add));
    return nothing;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        void *library = dlopen("./liblibrary.so", (round ? RTLD_LAZY : RTLD_NOW) | RTLD_LOCAL);
        if (!library) {
            puts(dlerror());
            return 1;
        }
        twice = (int (*)(int, int (*)(int)))dlsym(library, "twice");
        printf("%d\n", 5);
        printf("%d\n", twice(21, add));
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_join(thread, NULL);
        printf("counter %d\n", *(int *)dlsym(library, "library_counter"));
        dlclose(library);
    }
    return 3;
}
