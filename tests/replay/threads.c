//@ flags: -pthread
// Threads: sharing under a lock, thread-local variables, results, keys with destructors, conditions, detached ones.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 2000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long shared;
static int waiting_for = THREADS;
static _Atomic int destroyed;
static __thread int mine = 10;
static __thread char text[16] = "thread";
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;

static void initialise(void) { initialised++; }
static void destroy(void *p) {
    destroyed += *(int *)p;
    free(p);
}

static void *work(void *argument) {
    long id = (long)argument, local = 0;
    pthread_once(&once, initialise);
    int *kept = malloc(sizeof *kept);
    *kept = (int)id + 1;
    pthread_setspecific(key, kept);
    for (int i = 0; i < ROUNDS; i++) {
        mine += (int)id;
        local = local * 31 + mine;
        pthread_mutex_lock(&lock);
        shared += id + 1;
        pthread_mutex_unlock(&lock);
    }
    text[0] = (char)('A' + id);
    pthread_mutex_lock(&lock);
    waiting_for--;
    pthread_cond_broadcast(&changed);
    while (waiting_for > 0) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return (void *)(local ^ text[0] ^ mine);
}

static void *leaves_early(void *argument) {
    if (argument) pthread_exit((void *)99L);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_key_create(&key, destroy);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("%lx\n", (long)result);
    }
    printf("%ld %d %d %s %d %d\n", shared, waiting_for, mine, text, initialised, destroyed);
    pthread_t early;
    void *result;
    pthread_create(&early, 0, leaves_early, &early);
    pthread_join(early, &result);
    printf("%ld\n", (long)result);
    for (int i = 0; i < 50; i++) {
        pthread_create(&early, 0, leaves_early, 0);
        pthread_join(early, 0);
    }
    return 0;
}
