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

#define TWIN_NAME(name) __faultline_twin_##name

/* Hidden: each executable and shared library has its own. Weak: a program that has a function of this name itself
 * gives it the twin's name too, and that one is taken. */
#define TWIN(name) __attribute__((weak, visibility("hidden"))) TWIN_NAME(name)

/* For use by other twins. */
size_t TWIN(strlen)(const char *);
size_t TWIN(strnlen)(const char *, size_t);

#endif
