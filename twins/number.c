/* <stdlib.h>: integers in text. */

#define _GNU_SOURCE
#include "twin.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

static int is_space(unsigned char c) {
    /* In every locale these are the spaces of ASCII; of other bytes its table tells. */
    return c < 128 ? c == ' ' || (c >= '\t' && c <= '\r') : isspace(c);
}

/* The value of a digit or letter; 36 for anything else. */
static unsigned digit(unsigned char c) {
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

/* Sets *end as strtol does; gives 0 if the base is none. */
static int parse(const char *text, char **end, int base, struct parsed *number) {
    number->magnitude = 0;
    number->is_negative = 0;
    number->is_too_large = 0;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    const char *at = text;
    while (is_space(*at))
        at++;
    if (*at == '-') {
        number->is_negative = 1;
        at++;
    } else if (*at == '+') {
        at++;
    }
    const char *last = text;
    if (*at == '0') {
        if ((base == 0 || base == 16) && (at[1] == 'x' || at[1] == 'X')) {
            /* If no digit follows, the number is the zero. */
            last = at + 1;
            at += 2;
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    } else if (base == 0) {
        base = 10;
    }
    unsigned long limit = ULONG_MAX / base;
    for (unsigned value; (value = digit(*at)) < (unsigned)base; last = ++at) {
        if (number->magnitude > limit || number->magnitude * base > ULONG_MAX - value)
            number->is_too_large = 1;
        else
            number->magnitude = number->magnitude * base + value;
    }
    if (end)
        *end = (char *)last;
    return 1;
}

long TWIN(strtol)(const char *text, char **end, int base) {
    struct parsed number;
    if (!parse(text, end, base, &number))
        return 0;
    unsigned long limit = number.is_negative ? (unsigned long)LONG_MAX + 1 : LONG_MAX;
    if (number.is_too_large || number.magnitude > limit) {
        errno = ERANGE;
        return number.is_negative ? LONG_MIN : LONG_MAX;
    }
    return number.is_negative ? -number.magnitude : number.magnitude;
}
HAS_INNER(strtol);

unsigned long TWIN(strtoul)(const char *text, char **end, int base) {
    struct parsed number;
    if (!parse(text, end, base, &number))
        return 0;
    if (number.is_too_large) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return number.is_negative ? -number.magnitude : number.magnitude;
}
HAS_INNER(strtoul);

long long TWIN(strtoll)(const char *text, char **end, int base) {
    return INNER(strtol)(text, end, base);
}

unsigned long long TWIN(strtoull)(const char *text, char **end, int base) {
    return INNER(strtoul)(text, end, base);
}

int TWIN(atoi)(const char *text) {
    return INNER(strtol)(text, NULL, 10);
}

long TWIN(atol)(const char *text) {
    return INNER(strtol)(text, NULL, 10);
}

long long TWIN(atoll)(const char *text) {
    return INNER(strtol)(text, NULL, 10);
}

int TWIN(abs)(int number) {
    return number < 0 ? -(unsigned)number : number;
}

long TWIN(labs)(long number) {
    return number < 0 ? -(unsigned long)number : number;
}
HAS_INNER(labs);

long long TWIN(llabs)(long long number) {
    return INNER(labs)(number);
}
