/* Walks over a format of `scanf`. Formats with wide characters, positions, or what depends on the locale are the
 * library's, and so are those with conversions that are not known here. */

#define _GNU_SOURCE
#include "scan.h"

#include "number.h"

#include <langinfo.h>
#include <stdlib.h>

int __faultline_get(struct source *from) {
    if (from->last == EOF) {
        errno = from->error;
        return EOF;
    }
    if (from->stream)
        from->last = getc(from->stream);
    else if (*from->next || from->next == from->stored_zero)
        from->last = (unsigned char)*from->next++;
    else
        from->last = EOF;
    if (from->last == EOF)
        from->error = errno;
    else
        from->count++;
    return from->last;
}

void __faultline_unget(struct source *from) {
    if (from->last == EOF)
        return;
    from->count--;
    if (from->stream)
        ungetc(from->last, from->stream);
    else
        from->next--;
}

/* Reads a width; 0 and one that is too large are none. */
static int width(const char **at) {
    int value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        int digit = **at - '0';
        if (value < 0 || value > (INT_MAX - digit) / 10)
            value = -1;
        else
            value = value * 10 + digit;
    }
    return value == 0 ? -1 : value;
}

static const char *read_length(const char *at, struct conversion *it, enum dialect dialect) {
    switch (*at) {
    case 'h':
        it->length = at[1] == 'h' ? CHAR : SHORT;
        return at + (it->length == CHAR ? 2 : 1);
    case 'l':
        it->length = at[1] == 'l' ? LONG_LONG : LONG;
        return at + (it->length == LONG_LONG ? 2 : 1);
    case 'q':
    case 'L':
        it->length = LONG_LONG;
        return at + 1;
    case 'z':
    case 'j':
    case 't':
        it->length = LONG;
        return at + 1;
    case 'a':
        if (dialect != OLD || (at[1] != 's' && at[1] != 'S' && at[1] != '['))
            return at;
        it->allocation = BY_A;
        return at + 1;
    case 'm':
        it->allocation = BY_M;
        it->length = at[1] == 'l' ? LONG : PLAIN;
        return at + (it->length == LONG ? 2 : 1);
    default:
        return at;
    }
}

/* Goes to the `]` that ends a set, or to the end of the format. One that stands first belongs to the set. */
static const char *end_of_set(const char *set) {
    if (*set == ']' || *set == '-')
        set++;
    while (*set && *set != ']')
        set++;
    return set;
}

/* Reads a conversion behind its `%`; gives what follows it. */
static const char *read_conversion(const char *at, struct conversion *it, enum dialect dialect) {
    it->is_suppressed = 0;
    it->width = -1;
    it->allocation = NO_ALLOCATION;
    it->length = PLAIN;
    if (*at >= '0' && *at <= '9') {
        it->width = width(&at);
    } else {
        for (; *at == '*'; at++)
            it->is_suppressed = 1;
        it->width = width(&at);
    }
    at = read_length(at, it, dialect);
    it->letter = *at;
    if (!*at)
        return at;
    at++;
    if (it->letter == '[') {
        it->is_inverted = *at == '^';
        it->set = at + it->is_inverted;
        at = end_of_set(it->set);
        /* Without an end it is no conversion. */
        if (*at)
            at++;
        else
            it->letter = 0;
    }
    return at;
}

static int has_plain_point(void) {
    const char *point = nl_langinfo(RADIXCHAR);
    return point[0] == '.' && !point[1];
}

static int can_convert(const struct conversion *it) {
    switch (it->letter) {
    case '%':
    case 'n':
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'p':
        return 1;
    case 'c':
        /* The library would have to ask for more memory while it reads. */
        if (it->allocation != NO_ALLOCATION && it->width > 1024)
            return 0;
        return it->length != LONG && it->length != LONG_LONG;
    case 's':
    case '[':
        return it->length != LONG && it->length != LONG_LONG;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return has_plain_point();
    default:
        return 0;
    }
}

int __faultline_can_scan(const char *format, enum dialect dialect) {
    int allocations = 0;
    for (const char *at = format; *at;) {
        if (*at & 0x80)
            return 0;
        if (*at++ != '%')
            continue;
        struct conversion it;
        at = read_conversion(at, &it, dialect);
        if (!can_convert(&it))
            return 0;
        allocations += it.allocation != NO_ALLOCATION;
    }
    return allocations <= MOST_ALLOCATIONS;
}

void __faultline_store_integer(void *to, enum length length, unsigned long value) {
    switch (length) {
    case CHAR:
        *(unsigned char *)to = value;
        break;
    case SHORT:
        *(unsigned short *)to = value;
        break;
    case LONG:
    case LONG_LONG:
        *(unsigned long *)to = value;
        break;
    case PLAIN:
        *(unsigned *)to = value;
        break;
    }
}

enum blanks { NO_BLANKS, BLANKS };

/* Reads one character as it stands in the format, behind white space if that stood there, too. */
static enum end match(struct source *from, enum blanks before, int expected) {
    do
        if (__faultline_get(from) == EOF)
            return NO_INPUT;
    while (before == BLANKS && is_space(from->last));
    if (from->last == expected)
        return CONVERTED;
    __faultline_unget(from);
    return MISMATCH;
}

/* Goes behind white space. The end of the input is no failure here, but an interruption is. */
static enum end skip_space(struct source *from) {
    int saved = errno;
    errno = 0;
    do {
        if ((from->last == EOF || __faultline_get(from) == EOF) && errno == EINTR)
            return NO_INPUT;
    } while (is_space(from->last));
    errno = saved;
    __faultline_unget(from);
    return CONVERTED;
}

static enum end convert(struct scan *scan, const struct conversion *it) {
    switch (it->letter) {
    case '%':
        return match(&scan->from, NO_BLANKS, '%');
    case 'n':
        if (!it->is_suppressed)
            __faultline_store_integer(va_arg(scan->arguments, void *), it->length, scan->from.count);
        return CONVERTED;
    case 'c':
    case 's':
    case '[':
        return __faultline_scan_text(scan, it);
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'p':
        return __faultline_scan_integer(scan, it);
    default:
        return __faultline_scan_real(scan, it);
    }
}

static enum end walk(struct scan *scan, const char *at) {
    struct source *from = &scan->from;
    /* White space in the format: what it stands for is read when something follows. */
    enum blanks blanks = NO_BLANKS;
    while (*at) {
        if (is_space((unsigned char)*at)) {
            blanks = BLANKS;
            at++;
            continue;
        }
        enum end end = CONVERTED;
        if (*at != '%') {
            end = match(from, blanks, (unsigned char)*at++);
        } else {
            struct conversion it;
            at = read_conversion(at + 1, &it, scan->dialect);
            if (blanks == BLANKS || (it.letter != '[' && it.letter != 'c' && it.letter != 'n'))
                end = skip_space(from);
            if (end == CONVERTED)
                end = convert(scan, &it);
        }
        if (end != CONVERTED)
            return end;
        blanks = NO_BLANKS;
    }
    if (blanks == BLANKS) {
        while (is_space(__faultline_get(from)))
            continue;
        __faultline_unget(from);
    }
    return CONVERTED;
}

int __faultline_scan(struct scan *scan, const char *format) {
    switch (walk(scan, format)) {
    case CONVERTED:
    case MISMATCH:
        break;
    case NO_INPUT:
        if (scan->done == 0)
            scan->done = EOF;
        break;
    case NO_MEMORY:
        scan->done = EOF;
        break;
    }
    if (scan->done == EOF) {
        for (int i = 0; i < scan->allocations; i++) {
            free(*scan->allocated[i]);
            *scan->allocated[i] = NULL;
        }
    } else if (scan->unfinished) {
        free(*scan->unfinished);
        *scan->unfinished = NULL;
    }
    return scan->done;
}
