/* Numbers of `scanf`. Of a floating point number the characters are collected here, and the library makes a number of
 * them. */

#define _GNU_SOURCE
#include "scan.h"

#include "number.h"

#include <stdlib.h>

HIDDEN int INNER(tolower)(int);

/* A lower case letter, as the locale has it; anything else as it is. */
static int lower(int c) {
    return c >= 'A' && (c <= 'Z' || c >= 128) ? INNER(tolower)(c) : c;
}

/* Takes one off a width, if there is one. */
static int narrower(int width) {
    return width > 0 ? width - 1 : width;
}

static unsigned base_of(char letter) {
    switch (letter) {
    case 'i': return 0;
    case 'o': return 8;
    case 'd':
    case 'u': return 10;
    default: return 16;
    }
}

/* Reads what `%p` of printf makes of a null pointer, the first character of which has been read. */
static int is_nil(struct source *from) {
    return from->last == '(' && lower(__faultline_get(from)) == 'n' && lower(__faultline_get(from)) == 'i' &&
           lower(__faultline_get(from)) == 'l' && __faultline_get(from) == ')';
}

enum end __faultline_scan_integer(struct scan *scan, const struct conversion *it) {
    struct source *from = &scan->from;
    struct parsed number = {0, 0, 0};
    unsigned base = base_of(it->letter);
    int width = it->width, has_sign = 0, digits = 0;
    int c = __faultline_get(from);
    if (c == EOF)
        return NO_INPUT;
    if (c == '-' || c == '+') {
        has_sign = 1;
        number.is_negative = c == '-';
        width = narrower(width);
        c = __faultline_get(from);
    }
    if (width != 0 && c == '0') {
        digits = 1;
        width = narrower(width);
        c = __faultline_get(from);
        if (width != 0 && lower(c) == 'x') {
            if (base == 0)
                base = 16;
            if (base == 16) {
                width = narrower(width);
                c = __faultline_get(from);
            }
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    unsigned long limit = ULONG_MAX / base;
    for (unsigned value; width != 0 && c != EOF && (value = digit(c)) < base; c = __faultline_get(from)) {
        add_digit(&number, base, limit, value);
        digits = 1;
        width = narrower(width);
    }
    if (digits) {
        __faultline_unget(from);
    } else if (has_sign || it->letter != 'p' || (width >= 0 && width < 5) || !is_nil(from)) {
        __faultline_unget(from);
        return MISMATCH;
    }
    int is_signed = it->letter == 'd' || it->letter == 'i';
    unsigned long value = is_signed ? (unsigned long)as_long(&number) : as_unsigned_long(&number);
    if (it->is_suppressed)
        return CONVERTED;
    enum length length = it->letter == 'p' ? LONG : it->length;
    __faultline_store_integer(va_arg(scan->arguments, void *), length, value);
    scan->done++;
    return CONVERTED;
}

/* The characters of a number. */
struct text {
    char *start;
    size_t length;
    size_t size;
    /* There is no memory for more. */
    int has_failed;
    char near[1024];
};

static void add(struct text *text, char c) {
    if (text->length == text->size && !text->has_failed) {
        char *larger = malloc(2 * text->size);
        if (larger) {
            __builtin_memcpy(larger, text->start, text->length);
            if (text->start != text->near)
                free(text->start);
            text->start = larger;
            text->size *= 2;
        } else {
            text->has_failed = 1;
        }
    }
    if (!text->has_failed)
        text->start[text->length++] = c;
}

/* Reads these letters and nothing else. */
static int follow(struct source *from, struct text *text, int *width, const char *letters) {
    for (; *letters; letters++) {
        if (*width == 0 || __faultline_get(from) == EOF || lower(from->last) != *letters)
            return 0;
        *width = narrower(*width);
        add(text, from->last);
    }
    return 1;
}

/* Reads `inf` or `infinity`, the first letter of which has been read. */
static int follow_infinity(struct source *from, struct text *text, int width) {
    if (!follow(from, text, &width, "nf"))
        return 0;
    if (width == 0 || __faultline_get(from) == EOF)
        return 1;
    if (lower(from->last) != 'i') {
        __faultline_unget(from);
        return 1;
    }
    width = narrower(width);
    add(text, from->last);
    return follow(from, text, &width, "nity");
}

/* Reads what may belong to a number; what has been read when it turns out to be none is lost, as it is there. */
static enum end collect(struct source *from, struct text *text, int width) {
    int has_sign = 0, has_digit = 0, has_point = 0, has_exponent = 0, is_hexadecimal = 0;
    int c = __faultline_get(from);
    width = narrower(width);
    if (c == EOF)
        return NO_INPUT;
    if (c == '-' || c == '+') {
        has_sign = 1;
        add(text, c);
        if (width == 0 || (c = __faultline_get(from)) == EOF)
            return MISMATCH;
        width = narrower(width);
    }
    if (lower(c) == 'n') {
        add(text, c);
        return follow(from, text, &width, "an") ? CONVERTED : MISMATCH;
    }
    if (lower(c) == 'i') {
        add(text, c);
        return follow_infinity(from, text, width) ? CONVERTED : MISMATCH;
    }
    if (width != 0 && c == '0') {
        add(text, c);
        c = __faultline_get(from);
        width = narrower(width);
        if (width != 0 && lower(c) == 'x') {
            add(text, c);
            is_hexadecimal = 1;
            c = __faultline_get(from);
            width = narrower(width);
        } else {
            has_digit = 1;
        }
    }
    char exponent = is_hexadecimal ? 'p' : 'e';
    for (;;) {
        if (text->has_failed)
            return NO_MEMORY;
        if (digit(c) < 10 || (is_hexadecimal && !has_exponent && digit(c) < 16)) {
            add(text, c);
            has_digit = 1;
        } else if (has_exponent && text->start[text->length - 1] == exponent && (c == '-' || c == '+')) {
            add(text, c);
        } else if (has_digit && !has_exponent && lower(c) == exponent) {
            add(text, exponent);
            has_exponent = has_point = 1;
        } else if (!has_point && c == '.') {
            add(text, c);
            has_point = 1;
        } else {
            __faultline_unget(from);
            break;
        }
        if (width == 0 || (c = __faultline_get(from)) == EOF)
            break;
        width = narrower(width);
    }
    if (text->has_failed)
        return NO_MEMORY;
    size_t least = has_sign + (is_hexadecimal ? 2 : 0);
    return text->length == (size_t)has_sign || text->length == least ? MISMATCH : CONVERTED;
}

/* Lets the library read the number; gives 0 if it is none. */
static int store_real(struct scan *scan, const struct conversion *it, const char *text) {
    char *end;
    switch (it->length) {
    case LONG_LONG: {
        long double value = strtold(text, &end);
        if (!it->is_suppressed && end != text)
            *va_arg(scan->arguments, long double *) = value;
        break;
    }
    case LONG: {
        double value = strtod(text, &end);
        if (!it->is_suppressed && end != text)
            *va_arg(scan->arguments, double *) = value;
        break;
    }
    case PLAIN:
    case CHAR:
    case SHORT: {
        float value = strtof(text, &end);
        if (!it->is_suppressed && end != text)
            *va_arg(scan->arguments, float *) = value;
        break;
    }
    }
    return end != text;
}

enum end __faultline_scan_real(struct scan *scan, const struct conversion *it) {
    struct text text;
    text.start = text.near;
    text.length = 0;
    text.size = sizeof text.near;
    text.has_failed = 0;
    enum end end = collect(&scan->from, &text, it->width);
    if (end == CONVERTED) {
        add(&text, 0);
        if (text.has_failed)
            end = NO_MEMORY;
    }
    if (end == NO_MEMORY) {
        errno = ENOMEM;
    } else if (end == CONVERTED) {
        if (!store_real(scan, it, text.start))
            end = MISMATCH;
        else if (!it->is_suppressed)
            scan->done++;
    }
    if (text.start != text.near)
        free(text.start);
    return end;
}
