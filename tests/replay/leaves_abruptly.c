//@ ends: exit 5
//@ flags: -pthread
// _exit out of a thread while others run.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile long counter;
static void *spin(void *argument) {
    for (;;) counter++;
}
static void *leave(void *argument) {
    while (counter < 100000) {
    }
    _exit(5);
}

int main(void) {
    pthread_t a, b;
    puts("start");
    fflush(stdout);
    pthread_create(&a, 0, spin, 0);
    pthread_create(&b, 0, leave, 0);
    pthread_join(a, 0);
    return 0;
}
