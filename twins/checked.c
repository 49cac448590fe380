/* What calls become in a source that defines _FORTIFY_SOURCE: functions that are told how much room there is. (As an
 * option it is left out by `faultline-cc`.) Where there is not enough, or a format needs to be checked, the library's
 * function is called, which may end the program. */

#define _GNU_SOURCE
#include "format.h"

#include <string.h>

/* Headers declare these only to programs compiled so. */
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
int __vasprintf_chk(char **, int, const char *, va_list);
int __vdprintf_chk(int, int, const char *, va_list);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __vsprintf_chk(char *, int, size_t, const char *, va_list);

HIDDEN char *INNER(stpncpy)(char *, const char *, size_t);
HIDDEN int INNER(vasprintf)(char **, const char *, va_list);
HIDDEN int INNER(vdprintf)(int, const char *, va_list);
HIDDEN int INNER(vfprintf)(FILE *, const char *, va_list);
HIDDEN int INNER(vsnprintf)(char *, size_t, const char *, va_list);

void *TWIN(__memcpy_chk)(void *to, const void *from, size_t length, size_t room) {
    if (room < length)
        return __memcpy_chk(to, from, length, room);
    __builtin_memcpy(to, from, length);
    return to;
}

void *TWIN(__memmove_chk)(void *to, const void *from, size_t length, size_t room) {
    if (room < length)
        return __memmove_chk(to, from, length, room);
    __builtin_memmove(to, from, length);
    return to;
}

void *TWIN(__mempcpy_chk)(void *to, const void *from, size_t length, size_t room) {
    if (room < length)
        return __mempcpy_chk(to, from, length, room);
    __builtin_memcpy(to, from, length);
    return (char *)to + length;
}

void *TWIN(__memset_chk)(void *to, int value, size_t length, size_t room) {
    if (room < length)
        return __memset_chk(to, value, length, room);
    __builtin_memset(to, value, length);
    return to;
}

char *TWIN(__strcpy_chk)(char *to, const char *from, size_t room) {
    size_t length = INNER(strlen)(from);
    if (length >= room)
        return __strcpy_chk(to, from, room);
    __builtin_memcpy(to, from, length + 1);
    return to;
}

char *TWIN(__stpcpy_chk)(char *to, const char *from, size_t room) {
    size_t length = INNER(strlen)(from);
    if (length >= room)
        return __stpcpy_chk(to, from, room);
    __builtin_memcpy(to, from, length + 1);
    return to + length;
}

char *TWIN(__strncpy_chk)(char *to, const char *from, size_t limit, size_t room) {
    if (room < limit)
        return __strncpy_chk(to, from, limit, room);
    INNER(stpncpy)(to, from, limit);
    return to;
}

char *TWIN(__stpncpy_chk)(char *to, const char *from, size_t limit, size_t room) {
    return room < limit ? __stpncpy_chk(to, from, limit, room) : INNER(stpncpy)(to, from, limit);
}

char *TWIN(__strcat_chk)(char *to, const char *from, size_t room) {
    size_t there = INNER(strnlen)(to, room);
    size_t length = INNER(strnlen)(from, room - there);
    if (length >= room - there)
        return __strcat_chk(to, from, room);
    __builtin_memcpy(to + there, from, length + 1);
    return to;
}

char *TWIN(__strncat_chk)(char *to, const char *from, size_t limit, size_t room) {
    size_t there = INNER(strnlen)(to, room);
    size_t left = room - there;
    size_t length = INNER(strnlen)(from, limit < left ? limit : left);
    if (length >= left)
        return __strncat_chk(to, from, limit, room);
    to[there + length] = 0;
    __builtin_memcpy(to + there, from, length);
    return to;
}

static int is_checked(int flag, const char *format) {
    return flag > 0 && (!format || !__faultline_is_harmless(format));
}

static int print(FILE *stream, int flag, const char *format, va_list arguments) {
    if (is_checked(flag, format))
        return __vfprintf_chk(stream, flag, format, arguments);
    return INNER(vfprintf)(stream, format, arguments);
}

static int print_at_most(char *to, size_t size, int flag, size_t room, const char *format, va_list arguments) {
    if (room < size || is_checked(flag, format))
        return __vsnprintf_chk(to, size, flag, room, format, arguments);
    return INNER(vsnprintf)(to, size, format, arguments);
}

static int print_to_memory(char *to, int flag, size_t room, const char *format, va_list arguments) {
    if (room == 0 || !format || is_checked(flag, format))
        return __vsprintf_chk(to, flag, room, format, arguments);
    va_list again;
    va_copy(again, arguments);
    to[0] = 0;
    char *last = (char *)-1;
    char *end = room - 1 > (size_t)(last - to) ? last : to + (room - 1);
    struct output output = {TO_MEMORY, to, to, end, NULL, 0, 0, 0};
    __faultline_format(&output, format, arguments);
    int result;
    if (output.total >= room) {
        result = __vsprintf_chk(to, flag, room, format, again);
    } else {
        *output.next = 0;
        result = __faultline_finish(&output);
    }
    va_end(again);
    return result;
}

static int print_to_fresh_memory(char **to, int flag, const char *format, va_list arguments) {
    if (is_checked(flag, format))
        return __vasprintf_chk(to, flag, format, arguments);
    return INNER(vasprintf)(to, format, arguments);
}

static int print_to_descriptor(int descriptor, int flag, const char *format, va_list arguments) {
    if (is_checked(flag, format))
        return __vdprintf_chk(descriptor, flag, format, arguments);
    return INNER(vdprintf)(descriptor, format, arguments);
}

int TWIN(__vfprintf_chk)(FILE *stream, int flag, const char *format, va_list arguments) {
    return print(stream, flag, format, arguments);
}

int TWIN(__fprintf_chk)(FILE *stream, int flag, const char *format, ...) {
    WITH_ARGUMENTS(print(stream, flag, format, arguments));
}

int TWIN(__vprintf_chk)(int flag, const char *format, va_list arguments) {
    return print(stdout, flag, format, arguments);
}

int TWIN(__printf_chk)(int flag, const char *format, ...) {
    WITH_ARGUMENTS(print(stdout, flag, format, arguments));
}

int TWIN(__vsnprintf_chk)(char *to, size_t size, int flag, size_t room, const char *format, va_list arguments) {
    return print_at_most(to, size, flag, room, format, arguments);
}

int TWIN(__snprintf_chk)(char *to, size_t size, int flag, size_t room, const char *format, ...) {
    WITH_ARGUMENTS(print_at_most(to, size, flag, room, format, arguments));
}

int TWIN(__vsprintf_chk)(char *to, int flag, size_t room, const char *format, va_list arguments) {
    return print_to_memory(to, flag, room, format, arguments);
}

int TWIN(__sprintf_chk)(char *to, int flag, size_t room, const char *format, ...) {
    WITH_ARGUMENTS(print_to_memory(to, flag, room, format, arguments));
}

int TWIN(__vasprintf_chk)(char **to, int flag, const char *format, va_list arguments) {
    return print_to_fresh_memory(to, flag, format, arguments);
}

int TWIN(__asprintf_chk)(char **to, int flag, const char *format, ...) {
    WITH_ARGUMENTS(print_to_fresh_memory(to, flag, format, arguments));
}

int TWIN(__vdprintf_chk)(int descriptor, int flag, const char *format, va_list arguments) {
    return print_to_descriptor(descriptor, flag, format, arguments);
}

int TWIN(__dprintf_chk)(int descriptor, int flag, const char *format, ...) {
    WITH_ARGUMENTS(print_to_descriptor(descriptor, flag, format, arguments));
}
