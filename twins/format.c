/* Walks over a format. Integers, characters and strings are formatted here; floating point, wide characters, what
 * depends on the locale and error messages by the library, one conversion at a time. */

#define _GNU_SOURCE
#include "format.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATE = 8, ZERO = 16, GROUP = 32, LOCAL_DIGITS = 64 };

enum length { PLAIN, CHAR, SHORT, LONG, LONG_LONG, LONG_DOUBLE };

enum type { NO_VALUE, AN_INT, A_LONG, A_DOUBLE, A_LONG_DOUBLE, A_POINTER };

union value {
    int i;
    long l;
    double d;
    long double ld;
    void *p;
};

struct conversion {
    unsigned flags;
    /* One more than an int holds if it was given as the least of them. */
    long width;
    /* Negative if there is none. */
    int precision;
    enum length length;
    char letter;
    /* Positions of the arguments for value, width and precision: 0 is the next one, -1 none. */
    int position;
    int width_position;
    int precision_position;
    /* Width, precision or a position is larger than an int. */
    int is_too_large;
};

struct arguments {
    va_list next;
    /* As they were in the beginning. */
    va_list all;
    /* All of them, once the format has asked for one by its position. */
    union value *values;
};

/* Reads a number; -1 if it is too large. */
static int number(const char **at) {
    int value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        int digit = **at - '0';
        if (value < 0 || value > (INT_MAX - digit) / 10)
            value = -1;
        else
            value = value * 10 + digit;
    }
    return value;
}

/* Reads `12$` if it stands here: a position. Otherwise gives 0 and stays. */
static int position(const char **at) {
    const char *ahead = *at;
    int value = number(&ahead);
    if (ahead == *at || *ahead != '$' || value == 0)
        return 0;
    *at = ahead + 1;
    return value;
}

static unsigned flag(char c) {
    switch (c) {
    case '-': return LEFT;
    case '+': return PLUS;
    case ' ': return SPACE;
    case '#': return ALTERNATE;
    case '0': return ZERO;
    case '\'': return GROUP;
    case 'I': return LOCAL_DIGITS;
    default: return 0;
    }
}

/* Reads a conversion behind its `%`; gives what follows it. */
static const char *read_conversion(const char *at, struct conversion *it) {
    it->flags = 0;
    it->width = 0;
    it->precision = -1;
    it->length = PLAIN;
    it->width_position = -1;
    it->precision_position = -1;
    it->is_too_large = 0;
    it->position = *at >= '1' && *at <= '9' ? position(&at) : 0;
    if (it->position < 0)
        it->is_too_large = 1;
    for (unsigned f; (f = flag(*at)) != 0; at++)
        it->flags |= f;
    if (*at == '*') {
        at++;
        it->width_position = position(&at);
    } else {
        it->width = number(&at);
        if (it->width < 0)
            it->is_too_large = 1;
    }
    if (*at == '.') {
        at++;
        if (*at == '*') {
            at++;
            it->precision_position = position(&at);
        } else {
            it->precision = number(&at);
            if (it->precision < 0)
                it->is_too_large = 1;
        }
    }
    switch (*at) {
    case 'h':
        it->length = *++at == 'h' ? at++, CHAR : SHORT;
        break;
    case 'l':
        it->length = *++at == 'l' ? at++, LONG_LONG : LONG;
        break;
    case 'L':
        it->length = LONG_DOUBLE;
        at++;
        break;
    case 'q':
        it->length = LONG_LONG;
        at++;
        break;
    case 'j':
    case 'z':
    case 'Z':
    case 't':
        it->length = LONG;
        at++;
        break;
    }
    it->letter = *at;
    return *at ? at + 1 : at;
}

/* What a conversion takes from the arguments; -1 if it is none that is known here. */
static int type_of(const struct conversion *it) {
    switch (it->letter) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        return it->length == LONG || it->length == LONG_LONG || it->length == LONG_DOUBLE ? A_LONG : AN_INT;
    case 'c':
    case 'C':
        return AN_INT;
    case 's':
    case 'S':
    case 'p':
    case 'n':
        return A_POINTER;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return it->length == LONG_DOUBLE || it->length == LONG_LONG ? A_LONG_DOUBLE : A_DOUBLE;
    case 'm':
        return NO_VALUE;
    default:
        return -1;
    }
}

static void take(va_list *from, int type, union value *value) {
    switch (type) {
    case A_LONG:
        value->l = va_arg(*from, long);
        break;
    case A_DOUBLE:
        value->d = va_arg(*from, double);
        break;
    case A_LONG_DOUBLE:
        value->ld = va_arg(*from, long double);
        break;
    case A_POINTER:
        value->p = va_arg(*from, void *);
        break;
    case AN_INT:
        value->i = va_arg(*from, int);
        break;
    }
}

/* Arguments with a higher position than this are left to the library. */
enum { MOST_POSITIONS = 64 };

/* Takes all arguments by the types the whole format has for them. */
static int take_all(const char *format, struct arguments *arguments) {
    unsigned char types[MOST_POSITIONS + 1];
    __builtin_memset(types, AN_INT, sizeof types);
    int highest = 0;
    for (const char *at = format; *at;) {
        if (*at++ != '%')
            continue;
        if (*at == '%') {
            at++;
            continue;
        }
        struct conversion it;
        at = read_conversion(at, &it);
        int type = type_of(&it);
        if (type < 0)
            return 0;
        int positions[3] = {type == NO_VALUE ? 0 : it.position, it.width_position, it.precision_position};
        for (int i = 0; i < 3; i++) {
            if (positions[i] > MOST_POSITIONS)
                return 0;
            if (positions[i] > 0)
                types[positions[i]] = i == 0 ? type : AN_INT;
            if (positions[i] > highest)
                highest = positions[i];
        }
    }
    for (int i = 1; i <= highest; i++)
        take(&arguments->all, types[i], &arguments->values[i]);
    return 1;
}

int __faultline_is_harmless(const char *format) {
    for (const char *at = format; *at;) {
        if (*at++ != '%')
            continue;
        struct conversion it;
        at = read_conversion(at, &it);
        int is_positional = it.position > 0 || it.width_position > 0 || it.precision_position > 0;
        if (it.letter == 'n' || is_positional || it.is_too_large)
            return 0;
    }
    return 1;
}

static void fetch(struct arguments *arguments, int position, int type, union value *value) {
    if (position > 0 && arguments->values)
        *value = arguments->values[position];
    else
        take(&arguments->next, type, value);
}

static void put_padded(struct output *output, const struct conversion *it, const char *text, size_t length) {
    size_t padding = (size_t)it->width > length ? it->width - length : 0;
    if (!(it->flags & LEFT))
        __faultline_fill(output, ' ', padding);
    __faultline_put(output, text, length);
    if (it->flags & LEFT)
        __faultline_fill(output, ' ', padding);
}

static void put_string(struct output *output, const struct conversion *it, const char *text) {
    static const char null[] = "(null)";
    if (!text)
        text = it->precision < 0 || it->precision >= (int)sizeof null - 1 ? null : "";
    size_t length =
        it->precision < 0 ? INNER(strlen)(text) : INNER(strnlen)(text, it->precision);
    put_padded(output, it, text, length);
}

static void put_integer(struct output *output, const struct conversion *it, uint64_t magnitude, const char *sign) {
    char text[24];
    char *end = text + sizeof text, *first = end;
    int base = it->letter == 'o' ? 8 : it->letter == 'x' || it->letter == 'X' || it->letter == 'p' ? 16 : 10;
    const char *digits = it->letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    /* Zero has a digit like every other number, not a filler: whoever asks about it is led to the number. */
    if (magnitude > 0 || it->precision != 0) {
        uint64_t rest = magnitude;
        do {
            *--first = digits[rest % base];
            rest /= base;
        } while (rest > 0);
    }
    size_t count = end - first;
    size_t zeros = 0;
    size_t wanted = it->precision < 0 ? 1 : it->precision;
    if (count < wanted)
        zeros = wanted - count;
    if (base == 8 && it->flags & ALTERNATE && zeros == 0 && (count == 0 || *first != '0'))
        zeros = 1;
    if (base == 16 && it->flags & ALTERNATE && magnitude != 0)
        sign = it->letter == 'X' ? "0X" : sign[0] == '+' ? "+0x" : sign[0] == ' ' ? " 0x" : "0x";
    size_t sign_length = INNER(strlen)(sign);
    size_t length = sign_length + zeros + count;
    size_t padding = (size_t)it->width > length ? it->width - length : 0;
    if (it->flags & ZERO && !(it->flags & LEFT) && it->precision < 0) {
        zeros += padding;
        padding = 0;
    }
    if (!(it->flags & LEFT))
        __faultline_fill(output, ' ', padding);
    __faultline_put(output, sign, sign_length);
    __faultline_fill(output, '0', zeros);
    __faultline_put(output, first, count);
    if (it->flags & LEFT)
        __faultline_fill(output, ' ', padding);
}

/* Spells the conversion without positions and asterisks. */
static void spell(const struct conversion *it, char *text) {
    static const char *const lengths[] = {"", "hh", "h", "l", "ll", "L"};
    char *at = text;
    *at++ = '%';
    for (const char *flags = "-+ #0'I"; *flags; flags++)
        if (it->flags & flag(*flags))
            *at++ = *flags;
    if (it->width > 0)
        at += sprintf(at, "%ld", it->width);
    if (it->precision >= 0)
        at += sprintf(at, ".%d", it->precision);
    sprintf(at, "%s%c", lengths[it->length], it->letter);
}

#define CALL(function, ...)                                                                                            \
    (type == A_LONG          ? function(__VA_ARGS__, value->l)                                                         \
     : type == A_DOUBLE      ? function(__VA_ARGS__, value->d)                                                         \
     : type == A_LONG_DOUBLE ? function(__VA_ARGS__, value->ld)                                                        \
     : type == A_POINTER     ? function(__VA_ARGS__, value->p)                                                         \
                             : function(__VA_ARGS__, value->i))

/* Lets the library format one value. */
static void put_by_library(struct output *output, const struct conversion *it, int type, const union value *value) {
    char format[48];
    spell(it, format);
    char text[128];
    int saved = errno;
    int length = CALL(snprintf, text, sizeof text, format);
    if (length < 0) {
        output->has_failed = 1;
        return;
    }
    if ((size_t)length < sizeof text) {
        __faultline_put(output, text, length);
        return;
    }
    errno = saved;
    switch (output->destination) {
    case TO_STREAM:
        __faultline_flush(output);
        if (CALL(fprintf, output->stream, format) < 0)
            output->has_failed = 1;
        break;
    case TO_FRESH_MEMORY:
        if (!__faultline_reserve(output, length + 1))
            return;
        CALL(snprintf, output->next, length + 1, format);
        output->next += length;
        break;
    case TO_MEMORY: {
        size_t room = output->end - output->next;
        if (room >= (size_t)length) {
            CALL(sprintf, output->next, format);
            output->next += length;
        } else if (output->start) {
            CALL(snprintf, output->next, room + 1, format);
            output->next += room;
        }
        break;
    }
    }
    output->total += length;
    if (output->total > INT_MAX && !output->has_failed) {
        errno = EOVERFLOW;
        output->has_failed = 1;
    }
}

/* Lets the library do the rest: what stands here is not known to us, but perhaps to it. */
static void put_rest_by_library(struct output *output, const char *format, va_list arguments) {
    int length = 0;
    switch (output->destination) {
    case TO_STREAM:
        __faultline_flush(output);
        length = vfprintf(output->stream, format, arguments);
        break;
    case TO_FRESH_MEMORY: {
        va_list again;
        va_copy(again, arguments);
        length = vsnprintf(NULL, 0, format, arguments);
        if (length >= 0 && __faultline_reserve(output, (size_t)length + 1)) {
            vsprintf(output->next, format, again);
            output->next += length;
        }
        va_end(again);
        break;
    }
    case TO_MEMORY: {
        size_t room = output->end - output->next;
        length = vsnprintf(output->start ? output->next : NULL, output->start ? room + 1 : 0, format, arguments);
        if (length > 0)
            output->next += (size_t)length < room ? (size_t)length : room;
        break;
    }
    }
    if (length < 0)
        output->has_failed = 1;
    else
        output->total += length;
}

static void store_total(const struct output *output, enum length length, void *to) {
    switch (length) {
    case CHAR:
        *(signed char *)to = output->total;
        break;
    case SHORT:
        *(short *)to = output->total;
        break;
    case LONG:
    case LONG_LONG:
    case LONG_DOUBLE:
        *(long *)to = output->total;
        break;
    case PLAIN:
        *(int *)to = output->total;
        break;
    }
}

static void put_signed(struct output *output, const struct conversion *it, long number) {
    const char *sign = number < 0 ? "-" : it->flags & PLUS ? "+" : it->flags & SPACE ? " " : "";
    put_integer(output, it, number < 0 ? -(uint64_t)number : (uint64_t)number, sign);
}

static long as_signed(enum length length, const union value *value) {
    switch (length) {
    case CHAR: return (signed char)value->i;
    case SHORT: return (short)value->i;
    case PLAIN: return value->i;
    default: return value->l;
    }
}

static unsigned long as_unsigned(enum length length, const union value *value) {
    switch (length) {
    case CHAR: return (unsigned char)value->i;
    case SHORT: return (unsigned short)value->i;
    case PLAIN: return (unsigned)value->i;
    default: return value->l;
    }
}

static void convert(struct output *output, const struct conversion *it, int type, const union value *value) {
    int is_wide = it->length == LONG || it->length == LONG_LONG;
    int needs_locale = it->flags & (GROUP | LOCAL_DIGITS);
    switch (it->letter) {
    case 'd':
    case 'i':
        if (!needs_locale) {
            put_signed(output, it, as_signed(it->length, value));
            return;
        }
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        if (!needs_locale) {
            put_integer(output, it, as_unsigned(it->length, value), "");
            return;
        }
        break;
    case 'c':
        if (!is_wide) {
            char c = value->i;
            put_padded(output, it, &c, 1);
            return;
        }
        break;
    case 's':
        if (!is_wide) {
            put_string(output, it, value->p);
            return;
        }
        break;
    case 'p':
        if (value->p && !(it->flags & ~LEFT) && it->precision < 0) {
            struct conversion as_number = *it;
            as_number.flags |= ALTERNATE;
            put_integer(output, &as_number, (uintptr_t)value->p, "");
            return;
        }
        break;
    case 'n':
        store_total(output, it->length, value->p);
        return;
    }
    put_by_library(output, it, type, value);
}

/* Formats from `at` on. Gives where it stopped because a position was asked for and arguments are not yet at hand. */
static const char *walk(struct output *output, const char *at, struct arguments *arguments, int saved) {
    while (!output->has_failed) {
        const char *text = at;
        while (*at && *at != '%')
            at++;
        if (at > text)
            __faultline_put(output, text, at - text);
        if (!*at)
            return NULL;
        const char *start = at++;
        if (*at == '%') {
            __faultline_put(output, at++, 1);
            continue;
        }
        struct conversion it;
        at = read_conversion(at, &it);
        int type = type_of(&it);
        int is_positional = it.position > 0 || it.width_position > 0 || it.precision_position > 0;
        if (is_positional && !arguments->values)
            return start;
        if (it.is_too_large) {
            errno = EOVERFLOW;
            output->has_failed = 1;
            return NULL;
        }
        if (type < 0) {
            put_rest_by_library(output, start, arguments->next);
            return NULL;
        }
        union value value;
        if (it.width_position >= 0) {
            fetch(arguments, it.width_position, AN_INT, &value);
            if (value.i < 0)
                it.flags |= LEFT;
            it.width = value.i < 0 ? -(long)value.i : value.i;
        }
        if (it.precision_position >= 0) {
            fetch(arguments, it.precision_position, AN_INT, &value);
            it.precision = value.i < 0 ? -1 : value.i;
        }
        if (type != NO_VALUE)
            fetch(arguments, it.position, type, &value);
        else
            value.i = 0;
        if (it.letter == 'm')
            errno = saved;
        convert(output, &it, type, &value);
    }
    return NULL;
}

/* Goes on with all arguments at hand. Apart, because most formats need no room for them. */
__attribute__((noinline)) static void walk_by_position(struct output *output, const char *format, const char *at,
                                                        struct arguments *arguments, int saved) {
    union value values[MOST_POSITIONS + 1];
    va_list again;
    va_copy(again, arguments->all);
    arguments->values = values;
    if (take_all(format, arguments))
        walk(output, at, arguments, saved);
    else
        put_rest_by_library(output, at, again);
    va_end(again);
}

void __faultline_format(struct output *output, const char *format, va_list list) {
    int saved = errno;
    struct arguments arguments;
    arguments.values = NULL;
    va_copy(arguments.next, list);
    va_copy(arguments.all, list);
    const char *rest = walk(output, format, &arguments, saved);
    if (rest)
        walk_by_position(output, format, rest, &arguments, saved);
    va_end(arguments.all);
    va_end(arguments.next);
}
