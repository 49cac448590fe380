/* Where formatted text goes. */

#define _GNU_SOURCE
#include "format.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

/* Of the flags at the beginning of a FILE, which glibc's own macros read too. */
enum { HAS_ERROR = 0x20 };

/* Gives bytes to the stream. `fwrite` is content when they are in the buffer though that could not be flushed;
 * `printf` is not. */
static void emit(struct output *output, const char *bytes, size_t length) {
    int before = output->stream->_flags & HAS_ERROR;
    if (fwrite(bytes, 1, length, output->stream) != length || (!before && output->stream->_flags & HAS_ERROR))
        output->has_failed = 1;
}

void __faultline_flush(struct output *output) {
    if (!output->holds_lock && !__libc_single_threaded) {
        flockfile(output->stream);
        output->holds_lock = 1;
    }
    emit(output, output->start, output->next - output->start);
    output->next = output->start;
}

int __faultline_reserve(struct output *output, size_t length) {
    while ((size_t)(output->end - output->next) < length) {
        size_t used = output->next - output->start, size = output->end - output->start;
        size_t larger = 2 * size + 100;
        char *memory = larger < size ? NULL : malloc(larger);
        if (!memory) {
            output->has_failed = 1;
            return 0;
        }
        __builtin_memcpy(memory, output->start, used);
        free(output->start);
        output->start = memory;
        output->next = memory + used;
        output->end = memory + larger;
    }
    return 1;
}

static void count(struct output *output, size_t length) {
    output->total += length;
    if (output->total > INT_MAX && !output->has_failed) {
        errno = EOVERFLOW;
        output->has_failed = 1;
    }
}

/* Copies as the library does; where text is formatted into itself it shows. */
static void copy(char *to, const char *from, size_t length) {
    enum { SHORT = 20 };
    if (length > SHORT) {
        __builtin_memcpy(to, from, length);
        return;
    }
    for (size_t i = 0; i < length; i++)
        to[i] = from[i];
}

void __faultline_put(struct output *output, const char *bytes, size_t length) {
    size_t room = output->end - output->next;
    switch (output->destination) {
    case TO_STREAM:
        if (length > room) {
            __faultline_flush(output);
            room = output->end - output->next;
            if (length > room) {
                emit(output, bytes, length);
                count(output, length);
                return;
            }
        }
        copy(output->next, bytes, length);
        output->next += length;
        break;
    case TO_MEMORY: {
        size_t taken = length < room ? length : room;
        copy(output->next, bytes, taken);
        output->next += taken;
        break;
    }
    case TO_FRESH_MEMORY:
        if (length >= room && !__faultline_reserve(output, length + 1))
            return;
        copy(output->next, bytes, length);
        output->next += length;
        break;
    }
    count(output, length);
}

void __faultline_fill(struct output *output, char byte, size_t length) {
    if (length == 0)
        return;
    size_t left = length;
    switch (output->destination) {
    case TO_STREAM:
        while (left > 0 && !output->has_failed) {
            size_t room = output->end - output->next;
            if (room == 0) {
                __faultline_flush(output);
                continue;
            }
            size_t taken = left < room ? left : room;
            __builtin_memset(output->next, byte, taken);
            output->next += taken;
            left -= taken;
        }
        break;
    case TO_MEMORY: {
        size_t room = output->end - output->next;
        size_t taken = left < room ? left : room;
        __builtin_memset(output->next, byte, taken);
        output->next += taken;
        break;
    }
    case TO_FRESH_MEMORY:
        if (!__faultline_reserve(output, length + 1))
            return;
        __builtin_memset(output->next, byte, length);
        output->next += length;
        break;
    }
    count(output, length);
}

int __faultline_finish(struct output *output) {
    if (output->destination == TO_STREAM) {
        /* Nothing is asked before this: a byte that is written does not depend on what follows it. */
        emit(output, output->start, output->next - output->start);
        if (output->total == 0 && !output->has_failed)
            /* Even nothing makes the stream one of bytes, and fails where nothing can be written. */
            return fprintf(output->stream, "%s", "");
        if (output->holds_lock)
            funlockfile(output->stream);
    }
    return output->has_failed ? -1 : (int)output->total;
}
