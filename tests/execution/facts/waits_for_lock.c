//@ time-limit: 1
//@ flags: -pthread
//~ criterion: failure
// No loop, but a lock that is never given back.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int noise;

static int take(int number) {
    pthread_mutex_lock(&lock); //~ in slice
    if (number > 2) //~ not in slice
        return -1; //~ not in slice
    pthread_mutex_unlock(&lock); //~ not in slice
    return number; //~ not in slice
}

int main(void) {
    int last = 5; //~ in slice
    for (int i = 0; i < last; i++) { //~ in slice
        noise = i; //~ not in slice
        take(i); //~ in slice
    }
    return 0; //~ not in slice
}
