/* Modes of one program, each a way to run, to be interrupted, to end. */

#include "by_hand.h"

static volatile uint64_t handled;

static void work(uint64_t count) {
    struct slot *slot = here();
    uint64_t saved[2];
    __faultline_enter(slot, (uint64_t)work, saved);
    for (uint64_t i = 0; i < count; i++)
        step(slot, i);
    __faultline_leave(slot, saved);
}
INSTRUMENTED(work, 0);

/* Entered by a signal. */
static void handler(int signal) {
    int before = handled;
    struct slot *slot = here();
    uint64_t saved[2];
    __faultline_enter(slot, (uint64_t)handler, saved);
    for (uint64_t i = 0; i < 5; i++)
        step(slot, 1000000 + before);
    handled = before + 1;
    __faultline_leave(slot, saved);
}
INSTRUMENTED(handler, 1);

static sigjmp_buf back;

static void jumping_handler(int signal) {
    struct slot *slot = here();
    uint64_t saved[2];
    __faultline_enter(slot, (uint64_t)jumping_handler, saved);
    step(slot, 4242);
    TOKEN(slot) = TOKEN_OF(siglongjmp);
    siglongjmp(back, 1);
}
INSTRUMENTED(jumping_handler, 2);

/* Interrupts itself without calling outside code, so asynchronously. */
static void interrupt_self(int signal) {
    int thread = gettid();
    __asm__ volatile("syscall" : : "a"(SYS_tkill), "D"(thread), "S"(signal) : "rcx", "r11", "memory");
}

static void nesting_handler(int signal) {
    struct slot *slot = here();
    uint64_t saved[2];
    __faultline_enter(slot, (uint64_t)nesting_handler, saved);
    uint64_t depth = ++handled;
    step(slot, depth);
    if (depth < 12)
        interrupt_self(signal);
    step(slot, depth);
    __faultline_leave(slot, saved);
}
INSTRUMENTED(nesting_handler, 3);

static void handle(int signal, void (*function)(int), int flags) {
    struct sigaction action = {.sa_handler = function, .sa_flags = flags};
    sigaction(signal, &action, 0);
}

static void alarm_every(int microseconds) {
    struct itimerval interval = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &interval, 0);
}

static void interrupted(uint64_t count) {
    struct slot *slot = here();
    uint64_t saved[2];
    __faultline_enter(slot, (uint64_t)interrupted, saved);
    /* Only in here: before and after, a handler would be called as by outside code. */
    alarm_every(1000);
    uint64_t i = 0;
    while (i < count || handled < 50)
        step(slot, i++);
    alarm_every(0);
    __faultline_leave(slot, saved);
}
INSTRUMENTED(interrupted, 4);

static void jumped(int times) {
    struct slot *slot = here();
    uint64_t saved[2];
    __faultline_enter(slot, (uint64_t)jumped, saved);
    static volatile int landings;
    uint32_t level = LEVEL(slot);
    TOKEN(slot) = TOKEN_OF(__sigsetjmp);
    sigsetjmp(back, 1);
    __faultline_setjmp(slot, 0x7777, 99, level);
    step(slot, landings);
    if (landings++ < times) {
        step(slot, 1);
        interrupt_self(SIGUSR1);
    }
    __faultline_landed(slot, 0x8888, 100);
    __faultline_leave(slot, saved);
}
INSTRUMENTED(jumped, 5);

static void once_interrupted(void) {
    struct slot *slot = here();
    uint64_t saved[2];
    __faultline_enter(slot, (uint64_t)once_interrupted, saved);
    step(slot, 7);
    interrupt_self(SIGUSR1);
    step(slot, 8);
    __faultline_leave(slot, saved);
}
INSTRUMENTED(once_interrupted, 6);

static int compare(const void *a, const void *b) {
    struct slot *slot = here();
    uint64_t saved[2];
    __faultline_enter(slot, (uint64_t)compare, saved);
    step(slot, 3);
    __faultline_leave(slot, saved);
    return *(const int *)a - *(const int *)b;
}
INSTRUMENTED(compare, 7);

static void called_back(void) {
    struct slot *slot = here();
    uint64_t saved[2];
    int numbers[2] = {2, 1};
    __faultline_enter(slot, (uint64_t)called_back, saved);
    TOKEN(slot) = TOKEN_OF(qsort);
    qsort(numbers, 2, sizeof(int), compare);
    returned(slot);
    step(slot, numbers[0]);
    __faultline_leave(slot, saved);
}
INSTRUMENTED(called_back, 8);

static void *thread_work(void *count) {
    work((uint64_t)count);
    return 0;
}

static void *endless_work(void *count) {
    for (;;)
        work((uint64_t)count);
}

static void forked(uint64_t count) {
    struct slot *slot = here();
    uint64_t saved[2];
    __faultline_enter(slot, (uint64_t)forked, saved);
    step(slot, 1);
    TOKEN(slot) = TOKEN_OF(fork);
    int child = fork();
    returned(slot);
    if (child == 0) {
        for (uint64_t i = 0; i < count; i++)
            step(slot, ~i);
        _exit(0);
    }
    for (uint64_t i = 0; i < count; i++)
        step(slot, i);
    int status;
    waitpid(child, &status, 0);
    step(slot, status);
    __faultline_leave(slot, saved);
}
INSTRUMENTED(forked, 9);

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    uint64_t count = argc > 2 ? strtoull(argv[2], 0, 10) : 0;
#define MODE(name) (strcmp(mode, name) == 0)
    if (getenv("FAULTLINE_SHARED"))
        return 99;
    if (MODE("count")) {
        work(count);
        return 3;
    }
    if (MODE("kill")) {
        work(count);
        kill(getpid(), SIGKILL);
    }
    if (MODE("fault")) {
        work(count);
        *(volatile int *)0x1234 = 1;
    }
    if (MODE("divide")) {
        work(count);
        __faultline_divide_error();
    }
    if (MODE("abort")) {
        work(count);
        abort();
    }
    if (MODE("hang")) {
        work(count);
        for (;;)
            pause();
    }
    if (MODE("endless"))
        for (;;)
            work(count);
    if (MODE("storm")) {
        /* Threads and signals without end. */
        handle(SIGALRM, handler, 0);
        struct itimerval interval = {{0, 200}, {0, 200}};
        setitimer(ITIMER_REAL, &interval, 0);
        for (int i = 0; i < 2; i++) {
            pthread_t thread;
            pthread_create(&thread, 0, endless_work, (void *)count);
        }
        endless_work((void *)count);
    }
    if (MODE("threads")) {
        pthread_t threads[4];
        for (uint64_t i = 0; i < 4; i++)
            pthread_create(&threads[i], 0, thread_work, (void *)(count + i));
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], 0);
        return 0;
    }
    if (MODE("many threads")) {
        for (uint64_t i = 0; i < 300; i++) {
            pthread_t thread;
            pthread_create(&thread, 0, thread_work, (void *)i);
            pthread_join(thread, 0);
        }
        return 0;
    }
    if (MODE("alarm")) {
        handle(SIGALRM, handler, 0);
        interrupted(count);
        return 0;
    }
    if (MODE("jump")) {
        handle(SIGUSR1, jumping_handler, 0);
        jumped(3);
        return 0;
    }
    if (MODE("nest")) {
        handle(SIGUSR1, nesting_handler, SA_NODEFER);
        once_interrupted();
        return 0;
    }
    if (MODE("callback")) {
        called_back();
        return 0;
    }
    if (MODE("fork")) {
        forked(count);
        return 0;
    }
    if (MODE("exec")) {
        work(count);
        execl("/bin/sh", "sh", "-c", "test -z \"$FAULTLINE_SHARED\" && exit 5", (char *)0);
    }
    if (MODE("library")) {
        /* Its functions stay known when it is gone: a stale answer is harmless, reading its tables would not be. */
        void *library = dlopen(argv[3], RTLD_NOW);
        void (*library_work)(uint64_t) = (void (*)(uint64_t))dlsym(library, "library_work");
        library_work(count);
        dlclose(library);
        called_back();
        return 0;
    }
    if (MODE("stop")) {
        work(count);
        kill(getpid(), SIGSTOP);
        work(count);
        return 0;
    }
    return 98;
}
