// For tests that hold twins of library functions against the library: a direct call is the twin's (when built by
// faultline-cc), a call through a pointer the library's.

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LIBRARY(name) static __typeof__(name) *volatile library_##name = name

static unsigned failures;

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition) && failures++ < 20) {                                                                         \
            (fprintf)(stderr, "line %d: ", __LINE__);                                                                  \
            (fprintf)(stderr, __VA_ARGS__);                                                                            \
            (fprintf)(stderr, "\n");                                                                                   \
        }                                                                                                              \
    } while (0)

static unsigned long long state = 88172645463325252ull;

static unsigned chance(unsigned below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

enum { PAGE = 4096 };

// A page behind which there is none that may be touched.
static char *guarded_page(void) {
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE) != 0)
        abort();
    return pages;
}

static int result(void) {
    (printf)("%u differences\n", failures);
    return failures != 0;
}
