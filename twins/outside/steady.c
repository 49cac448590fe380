/* Time, chance and process ids: what differs from run to run without the program's doing.
 *
 * In an experiment every run is told the same; anywhere else these are the library's functions. They are not
 * instrumented: what they give comes from outside. */

#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define TWIN(name) __attribute__((weak)) HIDDEN __faultline_twin_##name

/* Of the runtime. Each gives 0 when this is no experiment. */
HIDDEN int __faultline_steady_time(int clock, struct timespec *time);
HIDDEN int __faultline_steady_random(void *bytes, unsigned long length);
HIDDEN int __faultline_steady_process(void);

int TWIN(clock_gettime)(clockid_t clock, struct timespec *time) {
    return __faultline_steady_time(clock, time) ? 0 : clock_gettime(clock, time);
}

time_t TWIN(time)(time_t *place) {
    struct timespec now;
    if (!__faultline_steady_time(CLOCK_REALTIME, &now))
        return time(place);
    if (place != NULL)
        *place = now.tv_sec;
    return now.tv_sec;
}

int TWIN(gettimeofday)(struct timeval *time, void *zone) {
    struct timespec now;
    if (time == NULL || zone != NULL || !__faultline_steady_time(CLOCK_REALTIME, &now))
        return gettimeofday(time, zone);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

clock_t TWIN(clock)(void) {
    struct timespec used;
    if (!__faultline_steady_time(CLOCK_PROCESS_CPUTIME_ID, &used))
        return clock();
    return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

ssize_t TWIN(getrandom)(void *bytes, size_t length, unsigned flags) {
    return __faultline_steady_random(bytes, length) ? (ssize_t)length : getrandom(bytes, length, flags);
}

int TWIN(getentropy)(void *bytes, size_t length) {
    return __faultline_steady_random(bytes, length) ? 0 : getentropy(bytes, length);
}

pid_t TWIN(getpid)(void) {
    int id = __faultline_steady_process();
    return id != 0 ? id : getpid();
}

/* A program may send signals to the id it was told. */
int TWIN(kill)(pid_t process, int number) {
    int id = __faultline_steady_process();
    return kill(id != 0 && process == id ? getpid() : process, number);
}
