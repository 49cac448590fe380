/* <stdio.h>: formatted input. */

#define _GNU_SOURCE
#include "scan.h"

#include <errno.h>
#include <sys/single_threaded.h>
#include <wchar.h>

/* The library's, by the names they have in it: headers choose among them. */
int old_vsscanf(const char *, const char *, va_list) __asm__("vsscanf");
int old_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
int c99_vsscanf(const char *, const char *, va_list) __asm__("__isoc99_vsscanf");
int c99_vfscanf(FILE *, const char *, va_list) __asm__("__isoc99_vfscanf");

/* Of the flags at the beginning of a FILE, which glibc's own macros read too. */
enum { NO_READING = 0x4 };

static int scan(FILE *stream, const char *text, const char *format, va_list arguments, enum dialect dialect) {
    struct scan scan;
    scan.from = (struct source){stream, text, NULL, 0, 0, 0};
    va_copy(scan.arguments, arguments);
    scan.dialect = dialect;
    scan.done = 0;
    scan.allocations = 0;
    scan.unfinished = NULL;
    int result = __faultline_scan(&scan, format);
    va_end(scan.arguments);
    return result;
}

static int scan_text(const char *text, const char *format, va_list arguments, enum dialect dialect) {
    if (__faultline_can_scan(format, dialect))
        return scan(NULL, text, format, arguments, dialect);
    return dialect == OLD ? old_vsscanf(text, format, arguments) : c99_vsscanf(text, format, arguments);
}

static int scan_stream(FILE *stream, const char *format, va_list arguments, enum dialect dialect) {
    int is_readable = fwide(stream, -1) < 0 && !(stream->_flags & NO_READING);
    if (!is_readable || !format || !__faultline_can_scan(format, dialect))
        return dialect == OLD ? old_vfscanf(stream, format, arguments) : c99_vfscanf(stream, format, arguments);
    int locks = !__libc_single_threaded;
    if (locks)
        flockfile(stream);
    int result = scan(stream, NULL, format, arguments, dialect);
    if (locks)
        funlockfile(stream);
    return result;
}

#define FAMILY(prefix, dialect)                                                                                        \
    int TWIN(prefix##vsscanf)(const char *text, const char *format, va_list arguments) {                               \
        return scan_text(text, format, arguments, dialect);                                                            \
    }                                                                                                                  \
    int TWIN(prefix##sscanf)(const char *text, const char *format, ...) {                                              \
        WITH_ARGUMENTS(scan_text(text, format, arguments, dialect));                                                   \
    }                                                                                                                  \
    int TWIN(prefix##vfscanf)(FILE *stream, const char *format, va_list arguments) {                                   \
        return scan_stream(stream, format, arguments, dialect);                                                        \
    }                                                                                                                  \
    int TWIN(prefix##fscanf)(FILE *stream, const char *format, ...) {                                                  \
        WITH_ARGUMENTS(scan_stream(stream, format, arguments, dialect));                                               \
    }                                                                                                                  \
    int TWIN(prefix##vscanf)(const char *format, va_list arguments) {                                                  \
        return scan_stream(stdin, format, arguments, dialect);                                                         \
    }                                                                                                                  \
    int TWIN(prefix##scanf)(const char *format, ...) {                                                                 \
        WITH_ARGUMENTS(scan_stream(stdin, format, arguments, dialect));                                                \
    }

FAMILY(, OLD)
FAMILY(__isoc99_, C99)
