// A program that is linked with the library.
#include "library.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static __thread int calls;
static int add(int x) { return x + ++calls; }
static void *work(void *nothing) {
    for (int i = 0; i < 3; i++) printf("thread %d\n", twice(i, add));
    return nothing;
}

int main(void) {
    printf("%d\n", 5);
    char text[64];
    for (int i = 0; i < 4; i++) {
        int (*function)(int, int (*)(int)) = twice;
        snprintf(text, sizeof text, "%d %d %d", function(i, add), recover(i), library_counter);
        printf("%s %zu\n", text, strlen(text));
    }
    printf("%d %d\n", named(), calls_named());
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 3;
}
