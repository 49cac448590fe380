/* <stdlib.h>: integers in text. */

#define _GNU_SOURCE
#include "number.h"

#include <stdint.h>
#include <stdlib.h>

/* Whether `0b` begins a binary number: it does in C23, whose functions have names of their own. */
enum binary { NO_BINARY, BINARY };

/* Sets *end as strtol does; gives 0 if the base is none. */
static int parse(const char *text, char **end, int base, enum binary binary, struct parsed *number) {
    number->magnitude = 0;
    number->is_negative = 0;
    number->is_too_large = 0;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    const char *at = text;
    while (is_space((unsigned char)*at))
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
        } else if (binary == BINARY && (base == 0 || base == 2) && (at[1] == 'b' || at[1] == 'B')) {
            last = at + 1;
            at += 2;
            base = 2;
        } else if (base == 0) {
            base = 8;
        }
    } else if (base == 0) {
        base = 10;
    }
    unsigned long limit = ULONG_MAX / base;
    for (unsigned value; (value = digit((unsigned char)*at)) < (unsigned)base; last = ++at)
        add_digit(number, base, limit, value);
    if (end)
        *end = (char *)last;
    return 1;
}

long TWIN(strtol)(const char *text, char **end, int base) {
    struct parsed number;
    return parse(text, end, base, NO_BINARY, &number) ? as_long(&number) : 0;
}
HAS_INNER(strtol);

unsigned long TWIN(strtoul)(const char *text, char **end, int base) {
    struct parsed number;
    return parse(text, end, base, NO_BINARY, &number) ? as_unsigned_long(&number) : 0;
}
HAS_INNER(strtoul);

long TWIN(__isoc23_strtol)(const char *text, char **end, int base) {
    struct parsed number;
    return parse(text, end, base, BINARY, &number) ? as_long(&number) : 0;
}
HAS_INNER(__isoc23_strtol);

unsigned long TWIN(__isoc23_strtoul)(const char *text, char **end, int base) {
    struct parsed number;
    return parse(text, end, base, BINARY, &number) ? as_unsigned_long(&number) : 0;
}
HAS_INNER(__isoc23_strtoul);

#define SAME(type, name, as)                                                                                           \
    type TWIN(name)(const char *text, char **end, int base) {                                                          \
        return INNER(as)(text, end, base);                                                                             \
    }

SAME(long long, strtoll, strtol)
SAME(unsigned long long, strtoull, strtoul)
SAME(intmax_t, strtoimax, strtol)
SAME(uintmax_t, strtoumax, strtoul)
SAME(long long, __isoc23_strtoll, __isoc23_strtol)
SAME(unsigned long long, __isoc23_strtoull, __isoc23_strtoul)
SAME(intmax_t, __isoc23_strtoimax, __isoc23_strtol)
SAME(uintmax_t, __isoc23_strtoumax, __isoc23_strtoul)

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

/* Division by zero traps here as it does there. */
div_t TWIN(div)(int number, int by) {
    return (div_t){number / by, number % by};
}
