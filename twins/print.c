/* <stdio.h>: formatted output, and strings to streams. */

#define _GNU_SOURCE
#include "format.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <unistd.h>

/* Of the flags at the beginning of a FILE, which glibc's own macros read too. */
enum { IS_UNBUFFERED = 0x2, HAS_ERROR = 0x20 };

static int print(FILE *stream, char *buffer, size_t size, const char *format, va_list arguments) {
    struct output output = {TO_STREAM, buffer, buffer, buffer + size, stream, 0, 0, 0};
    __faultline_format(&output, format, arguments);
    return __faultline_finish(&output);
}

/* What goes to an unbuffered stream goes in one piece, if it is not larger than glibc's buffer for the purpose. */
__attribute__((noinline)) static int print_unbuffered(FILE *stream, const char *format, va_list arguments) {
    char buffer[BUFSIZ];
    return print(stream, buffer, sizeof buffer, format, arguments);
}

int TWIN(vfprintf)(FILE *stream, const char *format, va_list arguments) {
    if (!format)
        return vfprintf(stream, format, arguments);
    if (stream->_flags & IS_UNBUFFERED)
        return print_unbuffered(stream, format, arguments);
    char buffer[1024];
    return print(stream, buffer, sizeof buffer, format, arguments);
}
HAS_INNER(vfprintf);

int TWIN(vprintf)(const char *format, va_list arguments) {
    return INNER(vfprintf)(stdout, format, arguments);
}

int TWIN(fprintf)(FILE *stream, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = INNER(vfprintf)(stream, format, arguments);
    va_end(arguments);
    return result;
}

int TWIN(printf)(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = INNER(vfprintf)(stdout, format, arguments);
    va_end(arguments);
    return result;
}

int TWIN(vsnprintf)(char *to, size_t size, const char *format, va_list arguments) {
    if (!format)
        return vsnprintf(to, size, format, arguments);
    char nowhere;
    struct output output = {TO_MEMORY, NULL, &nowhere, &nowhere, NULL, 0, 0, 0};
    if (size > 0) {
        to[0] = 0;
        output.start = output.next = to;
        output.end = to + (size - 1) < to ? (char *)-1 : to + (size - 1);
    }
    __faultline_format(&output, format, arguments);
    if (size > 0)
        *output.next = 0;
    return __faultline_finish(&output);
}
HAS_INNER(vsnprintf);

int TWIN(snprintf)(char *to, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = INNER(vsnprintf)(to, size, format, arguments);
    va_end(arguments);
    return result;
}

int TWIN(vsprintf)(char *to, const char *format, va_list arguments) {
    if (!format)
        return vsprintf(to, format, arguments);
    struct output output = {TO_MEMORY, to, to, (char *)-1, NULL, 0, 0, 0};
    __faultline_format(&output, format, arguments);
    *output.next = 0;
    return __faultline_finish(&output);
}
HAS_INNER(vsprintf);

int TWIN(sprintf)(char *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = INNER(vsprintf)(to, format, arguments);
    va_end(arguments);
    return result;
}

/* Takes memory from the heap in the sizes that glibc takes it, lest the program's heap look different. */
int TWIN(vasprintf)(char **result, const char *format, va_list arguments) {
    enum { FIRST_SIZE = 100 };
    if (!format)
        return vasprintf(result, format, arguments);
    char *memory = malloc(FIRST_SIZE);
    if (!memory)
        return -1;
    struct output output = {TO_FRESH_MEMORY, memory, memory, memory + FIRST_SIZE, NULL, 0, 0, 0};
    __faultline_format(&output, format, arguments);
    int length = __faultline_finish(&output);
    if (length < 0) {
        free(output.start);
        return length;
    }
    size_t needed = (size_t)length + 1, size = output.end - output.start;
    char *kept = NULL;
    if (size / 2 > needed) {
        kept = malloc(needed);
        if (kept) {
            __builtin_memcpy(kept, output.start, length);
            free(output.start);
        }
    }
    if (!kept) {
        kept = realloc(output.start, needed);
        if (!kept)
            kept = output.start;
    }
    kept[length] = 0;
    *result = kept;
    return length;
}
HAS_INNER(vasprintf);

int TWIN(asprintf)(char **result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = INNER(vasprintf)(result, format, arguments);
    va_end(arguments);
    return length;
}

int TWIN(vdprintf)(int descriptor, const char *format, va_list arguments) {
    if (!format)
        return vdprintf(descriptor, format, arguments);
    char *text;
    int length = INNER(vasprintf)(&text, format, arguments);
    if (length < 0)
        return length;
    for (int written = 0; written < length;) {
        ssize_t now = write(descriptor, text + written, length - written);
        if (now < 0) {
            int saved = errno;
            free(text);
            errno = saved;
            return -1;
        }
        written += now;
    }
    free(text);
    return length;
}
HAS_INNER(vdprintf);

int TWIN(dprintf)(int descriptor, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = INNER(vdprintf)(descriptor, format, arguments);
    va_end(arguments);
    return result;
}

/* Whether all of it went to the stream and, where that was due, beyond. */
static int put_string(const char *text, size_t length, FILE *stream) {
    int before = stream->_flags & HAS_ERROR;
    return fwrite(text, 1, length, stream) == length && (before || !(stream->_flags & HAS_ERROR));
}

int TWIN(fputs)(const char *text, FILE *stream) {
    size_t length = INNER(strlen)(text);
    if (length == 0)
        return fputs("", stream);
    return put_string(text, length, stream) ? 1 : EOF;
}

int TWIN(puts)(const char *text) {
    size_t length = INNER(strlen)(text);
    FILE *stream = stdout;
    int locks = !__libc_single_threaded;
    if (locks)
        flockfile(stream);
    int result = EOF;
    if ((length == 0 || put_string(text, length, stream)) && putc('\n', stream) != EOF)
        result = length + 1 < INT_MAX ? (int)(length + 1) : INT_MAX;
    if (locks)
        funlockfile(stream);
    return result;
}
