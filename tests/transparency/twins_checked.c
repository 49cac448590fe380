// Twins of what _FORTIFY_SOURCE makes of calls do what the library does, also where there is not enough room: then the
// library ends the program.
#define _GNU_SOURCE
#include "parts/twins.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>

void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
char *__stpcpy_chk(char *, const char *, size_t);
char *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strcpy_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
int __asprintf_chk(char **, int, const char *, ...);
int __dprintf_chk(int, int, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __printf_chk(int, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __vasprintf_chk(char **, int, const char *, va_list);
int __vdprintf_chk(int, int, const char *, va_list);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __vprintf_chk(int, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __vsprintf_chk(char *, int, size_t, const char *, va_list);

LIBRARY(__memcpy_chk);
LIBRARY(__memmove_chk);
LIBRARY(__mempcpy_chk);
LIBRARY(__memset_chk);
LIBRARY(__stpcpy_chk);
LIBRARY(__stpncpy_chk);
LIBRARY(__strcat_chk);
LIBRARY(__strcpy_chk);
LIBRARY(__strncat_chk);
LIBRARY(__strncpy_chk);
LIBRARY(__snprintf_chk);
LIBRARY(__sprintf_chk);

enum { AREA = 300 };
static char ours[AREA], theirs[AREA];

// A call with enough room, both ways; the places are called `to`.
#define BOTH(call, library_call)                                                                                       \
    do {                                                                                                               \
        memset(ours, 'x', AREA);                                                                                       \
        memset(theirs, 'x', AREA);                                                                                     \
        ours[7] = theirs[7] = 0;                                                                                       \
        char *to = ours;                                                                                               \
        long p = (long)(call);                                                                                         \
        to = theirs;                                                                                                   \
        long q = (long)(library_call);                                                                                 \
        CHECK(p == q || p - (long)ours == q - (long)theirs, "result of " #call);                                       \
        CHECK(memcmp(ours, theirs, AREA) == 0, #call);                                                                 \
    } while (0)

static void enough(const char *text, size_t limit) {
    size_t length = strlen(text), most = limit < length ? limit : length;
    size_t rooms[] = {0, 100, AREA, (size_t)-1};
    for (int i = 0; i < 4; i++) {
        size_t more = rooms[i];
#define ROOM(least) (more == 0 ? (least) : more == (size_t)-1 ? more : (least) + more)
        BOTH(__memcpy_chk(to, text, most, ROOM(most)), library___memcpy_chk(to, text, most, ROOM(most)));
        BOTH(__memmove_chk(to + 1, to, most, ROOM(most)), library___memmove_chk(to + 1, to, most, ROOM(most)));
        BOTH(__mempcpy_chk(to, text, most, ROOM(most)), library___mempcpy_chk(to, text, most, ROOM(most)));
        BOTH(__memset_chk(to, 'm', limit, ROOM(limit)), library___memset_chk(to, 'm', limit, ROOM(limit)));
        BOTH(__strcpy_chk(to, text, ROOM(length + 1)), library___strcpy_chk(to, text, ROOM(length + 1)));
        BOTH(__stpcpy_chk(to, text, ROOM(length + 1)), library___stpcpy_chk(to, text, ROOM(length + 1)));
        BOTH(__strncpy_chk(to, text, limit, ROOM(limit)), library___strncpy_chk(to, text, limit, ROOM(limit)));
        BOTH(__stpncpy_chk(to, text, limit, ROOM(limit)), library___stpncpy_chk(to, text, limit, ROOM(limit)));
        BOTH(__strcat_chk(to, text, ROOM(length + 8)), library___strcat_chk(to, text, ROOM(length + 8)));
        BOTH(__strncat_chk(to, text, limit, ROOM(most + 8)), library___strncat_chk(to, text, limit, ROOM(most + 8)));
        for (int flag = 0; flag < 2; flag++) {
            BOTH(__sprintf_chk(to, flag, ROOM(length + 2), "%s%d", text, 7),
                 library___sprintf_chk(to, flag, ROOM(length + 2), "%s%d", text, 7));
            BOTH(__snprintf_chk(to, limit, flag, ROOM(limit), "%s%d", text, 7),
                 library___snprintf_chk(to, limit, flag, ROOM(limit), "%s%d", text, 7));
            BOTH(__sprintf_chk(to, flag, 100, "%2$d %1$.3s", text, 7),
                 library___sprintf_chk(to, flag, 100, "%2$d %1$.3s", text, 7));
        }
    }
}

// What is left of a call that the library ends: the place as far as it got, and the signal.
#define ENDS(call)                                                                                                     \
    do {                                                                                                               \
        fflush(stdout);                                                                                                \
        pid_t child = fork();                                                                                          \
        if (child == 0) {                                                                                              \
            close(2);                                                                                                  \
            call;                                                                                                      \
            _exit(0);                                                                                                  \
        }                                                                                                              \
        int status = 0;                                                                                                \
        waitpid(child, &status, 0);                                                                                    \
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, #call " ends with %x", status);                      \
    } while (0)

static void too_little(void) {
    char to[20] = "12345";
    char format[] = "%d%n";
    int count;
    ENDS(__memcpy_chk(to, "123456", 6, 5));
    ENDS(__memmove_chk(to, "123456", 6, 5));
    ENDS(__mempcpy_chk(to, "123456", 6, 5));
    ENDS(__memset_chk(to, 0, 6, 5));
    ENDS(__strcpy_chk(to, "12345", 5));
    ENDS(__stpcpy_chk(to, "12345", 5));
    ENDS(__strncpy_chk(to, "1", 6, 5));
    ENDS(__stpncpy_chk(to, "1", 6, 5));
    ENDS(__strcat_chk(to, "6789", 9));
    ENDS(__strcat_chk(to, "", 5));
    ENDS(__strncat_chk(to, "6789", 4, 9));
    ENDS(__strncat_chk(to, "6789", 100, 9));
    ENDS(__sprintf_chk(to, 0, 5, "%d", 12345));
    ENDS(__sprintf_chk(to, 1, 0, "%d", 12345));
    ENDS(__snprintf_chk(to, 6, 0, 5, "%d", 1));
    ENDS(__sprintf_chk(to, 1, 20, format, 1, &count));
    ENDS(__printf_chk(1, format, 1, &count));
    // Without the check it is as everywhere.
    count = 0;
    __sprintf_chk(to, 0, 20, format, 123, &count);
    CHECK(count == 3, "%%n: %d", count);
    count = 0;
    __sprintf_chk(to, 1, 20, "%d%n", 1234, &count);
    CHECK(count == 4, "%%n of a constant format: %d", count);
}

static void va(FILE *stream, const char *format, ...) {
    char area[40];
    char *fresh;
    va_list arguments;
#define WITH(call)                                                                                                     \
    va_start(arguments, format);                                                                                       \
    CHECK((call) == 8, #call);                                                                                         \
    va_end(arguments)
    WITH(__vfprintf_chk(stream, 1, format, arguments));
    WITH(__vprintf_chk(1, format, arguments));
    WITH(__vsnprintf_chk(area, 40, 1, 40, format, arguments));
    CHECK(strcmp(area, "one, 23\n") == 0, "%s", area);
    WITH(__vsprintf_chk(area, 1, 40, format, arguments));
    CHECK(strcmp(area, "one, 23\n") == 0, "%s", area);
    WITH(__vasprintf_chk(&fresh, 1, format, arguments));
    CHECK(strcmp(fresh, "one, 23\n") == 0, "%s", fresh);
    free(fresh);
    fflush(stdout);
    WITH(__vdprintf_chk(1, 1, format, arguments));
}

int main(void) {
    static const char *const texts[] = {"", "a", "hello", "\xff\x80", "a longer text, which goes on and on and on"};
    for (int i = 0; i < 5; i++)
        for (size_t limit = 0; limit < 60; limit += 1 + limit / 3)
            enough(texts[i], limit);
    too_little();
    va(stdout, "%s, %d\n", "one", 23);
    char *fresh;
    CHECK(__asprintf_chk(&fresh, 1, "%5d|", 7) == 6 && strcmp(fresh, "    7|") == 0, "asprintf");
    free(fresh);
    CHECK(__fprintf_chk(stdout, 1, "%s\n", "fprintf") == 8 && __printf_chk(1, "%s\n", "printf") == 7, "printf");
    fflush(stdout);
    CHECK(__dprintf_chk(1, 1, "%s\n", "dprintf") == 8, "dprintf");
    return result();
}
