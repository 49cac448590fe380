/* Integers in text, as `strtol` and `scanf` read them. */

#ifndef FAULTLINE_NUMBER_H
#define FAULTLINE_NUMBER_H

#include "twin.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>

/* Of a character or EOF. */
static inline int is_space(int c) {
    /* In every locale these are the spaces of ASCII; of other bytes its table tells. */
    return c < 128 ? c == ' ' || (c >= '\t' && c <= '\r') : isspace(c);
}

/* The value of a digit or letter; 36 for anything else. */
static inline unsigned digit(int c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

struct parsed {
    unsigned long magnitude;
    int is_negative;
    /* It does not fit into an unsigned long. */
    int is_too_large;
};

/* The limit is that of the base: ULONG_MAX / base. */
static inline void add_digit(struct parsed *number, unsigned base, unsigned long limit, unsigned value) {
    if (number->magnitude > limit || number->magnitude * base > ULONG_MAX - value)
        number->is_too_large = 1;
    else
        number->magnitude = number->magnitude * base + value;
}

static inline long as_long(const struct parsed *number) {
    unsigned long limit = number->is_negative ? (unsigned long)LONG_MAX + 1 : LONG_MAX;
    if (number->is_too_large || number->magnitude > limit) {
        errno = ERANGE;
        return number->is_negative ? LONG_MIN : LONG_MAX;
    }
    return number->is_negative ? -number->magnitude : number->magnitude;
}

static inline unsigned long as_unsigned_long(const struct parsed *number) {
    if (number->is_too_large) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return number->is_negative ? -number->magnitude : number->magnitude;
}

#endif
