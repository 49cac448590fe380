/* Twins: functions of the C library, written so that faultline can look inside.
 *
 * They are compiled by faultline-cc like the program they will be part of, but with -faultline-twins=off: a call of
 * `strlen` in here is a call of the library's. Instrumented code that calls `NAME` is made to call
 * `__faultline_twin_NAME` (see `pass/src/prepare/twins.rs`, which has the list of them).
 *
 * A twin does what the library's function does, to the last bit of its result, `errno` and the memory it touches; it
 * never reads a byte that the library's would not be allowed to. Bytes are read one by one, so that what depends on
 * which byte can be seen; where much is to be copied the compiler's memory intrinsics do it, which faultline follows
 * byte by byte too. */

#ifndef FAULTLINE_TWIN_H
#define FAULTLINE_TWIN_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* Hidden: each executable and shared library has its own. Weak: a program that has a function of this name itself
 * gives it the twin's name too, and that one is taken. */
#define TWIN(name) __attribute__((weak)) HIDDEN __faultline_twin_##name

/* A twin by a name that no program takes away: for other twins, since the library's functions do not call the program's
 * either. */
#define INNER(name) __faultline_inner_##name
#define HAS_INNER(name)                                                                                                \
    extern HIDDEN __typeof__(__faultline_twin_##name) INNER(name) __attribute__((alias("__faultline_twin_" #name)))

HIDDEN size_t INNER(strlen)(const char *);
HIDDEN size_t INNER(strnlen)(const char *, size_t);

/* In a function that takes `format, ...`: gives the result of a call that is given them as `arguments`. */
#define WITH_ARGUMENTS(call)                                                                                           \
    va_list arguments;                                                                                                 \
    va_start(arguments, format);                                                                                       \
    int result = call;                                                                                                 \
    va_end(arguments);                                                                                                 \
    return result

#endif
