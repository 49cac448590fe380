/* <ctype.h>: its functions, and the tables that its macros read; comparing without regard to case.
 *
 * Where a table of the locale says what that of the "C" locale says, which it does in those of UTF-8 too, ours is read:
 * the library's is memory of which nobody knows where it comes from. Functions compare instead. */

#define _GNU_SOURCE
#define __NO_CTYPE
#include "twin.h"

#include <ctype.h>
#include <locale.h>
#include <string.h>
#include <strings.h>

/* The tables reach from here; beyond them the library reads whatever is there. */
enum { FIRST = -128, LAST = 255, ENTRIES = LAST - FIRST + 1 };

enum {
    CONTROL = (unsigned short)_IScntrl,
    VISIBLE = (unsigned short)_ISprint | (unsigned short)_ISgraph,
    MARK = VISIBLE | (unsigned short)_ISpunct,
    ALPHANUMERIC = VISIBLE | (unsigned short)_ISalnum,
    DIGIT = ALPHANUMERIC | (unsigned short)_ISdigit | (unsigned short)_ISxdigit,
    UPPER = ALPHANUMERIC | (unsigned short)_ISalpha | (unsigned short)_ISupper,
    LOWER = ALPHANUMERIC | (unsigned short)_ISalpha | (unsigned short)_ISlower,
    HEXADECIMAL = (unsigned short)_ISxdigit,
    SPACE = (unsigned short)_ISspace,
    BLANK = SPACE | (unsigned short)_ISblank,
};

#define AT(c) ((c) - FIRST)

static const unsigned short classes[ENTRIES] = {
    [AT(0) ... AT('\t' - 1)] = CONTROL,
    [AT('\t')] = CONTROL | BLANK,
    [AT('\n') ... AT('\r')] = CONTROL | SPACE,
    [AT('\r' + 1) ... AT(' ' - 1)] = CONTROL,
    [AT(' ')] = BLANK | (unsigned short)_ISprint,
    [AT('!') ... AT('/')] = MARK,
    [AT('0') ... AT('9')] = DIGIT,
    [AT(':') ... AT('@')] = MARK,
    [AT('A') ... AT('F')] = UPPER | HEXADECIMAL,
    [AT('G') ... AT('Z')] = UPPER,
    [AT('[') ... AT('`')] = MARK,
    [AT('a') ... AT('f')] = LOWER | HEXADECIMAL,
    [AT('g') ... AT('z')] = LOWER,
    [AT('{') ... AT('~')] = MARK,
    [AT(127)] = CONTROL,
};

#define FOUR(c) (c), (c) + 1, (c) + 2, (c) + 3
#define SIXTEEN(c) FOUR(c), FOUR((c) + 4), FOUR((c) + 8), FOUR((c) + 12)
#define SIXTY_FOUR(c) SIXTEEN(c), SIXTEEN((c) + 16), SIXTEEN((c) + 32), SIXTEEN((c) + 48)
#define ALPHABET(c) SIXTEEN(c), FOUR((c) + 16), FOUR((c) + 20), (c) + 24, (c) + 25
/* Negative characters, but for EOF, come out of the tables as positive ones. */
#define NEGATIVE                                                                                                       \
    SIXTY_FOUR(128), SIXTEEN(192), SIXTEEN(208), SIXTEEN(224), FOUR(240), FOUR(244), FOUR(248), 252, 253, 254, EOF
#define CASES(upper, lower)                                                                                            \
    NEGATIVE, SIXTY_FOUR(0), '@', ALPHABET(upper), FOUR('['), '_', '`', ALPHABET(lower), FOUR('{'), 127,               \
        SIXTY_FOUR(128), SIXTY_FOUR(192)

static const int lower_cases[ENTRIES] = {CASES('a', 'a')};
static const int upper_cases[ENTRIES] = {CASES('A', 'A')};

/* A table of the library's that has been compared with ours, or NULL. */
struct compared {
    const void *same;
    const void *other;
};

static int is_same(struct compared *compared, const void *theirs, const void *ours, size_t size) {
    if (theirs == compared->same)
        return 1;
    if (theirs == compared->other)
        return 0;
    int is_same = memcmp(theirs, ours, size) == 0;
    /* Tables of the program's locale stay for ever. Those of a thread's own may go, and others take their place. */
    if (uselocale((locale_t)0) == LC_GLOBAL_LOCALE)
        *(is_same ? &compared->same : &compared->other) = theirs;
    return is_same;
}

/* `name` is the library's function that gives a place with a table, `has_name` tells whether that is as ours. What a
 * program looks up in the place is right as long as it asks for the place each time, as the macros do. */
#define TABLE(name, type, table, has_name)                                                                             \
    static int has_name(void) {                                                                                        \
        static struct compared compared;                                                                               \
        return is_same(&compared, *name() + FIRST, table, sizeof table);                                               \
    }                                                                                                                  \
    const type **TWIN(name)(void) {                                                                                    \
        static const type *const ours = table - FIRST;                                                                 \
        return has_name() ? (const type **)&ours : name();                                                             \
    }

TABLE(__ctype_b_loc, unsigned short, classes, has_c_classes)
TABLE(__ctype_tolower_loc, int, lower_cases, has_c_lower_cases)
TABLE(__ctype_toupper_loc, int, upper_cases, has_c_upper_cases)

static int is_upper(int c) {
    return c >= 'A' && c <= 'Z';
}

static int is_lower(int c) {
    return c >= 'a' && c <= 'z';
}

static int is_letter(int c) {
    return is_upper(c) || is_lower(c);
}

static int is_digit(int c) {
    return c >= '0' && c <= '9';
}

static int is_visible(int c) {
    return c > ' ' && c < 127;
}

#define CLASS(name, bit, in_c)                                                                                         \
    int TWIN(name)(int c) {                                                                                            \
        if (c >= FIRST && c <= LAST && has_c_classes())                                                                \
            return (in_c) ? (unsigned short)(bit) : 0;                                                                 \
        return (*__ctype_b_loc())[c] & (unsigned short)(bit);                                                          \
    }

CLASS(isalnum, _ISalnum, is_letter(c) || is_digit(c))
CLASS(isalpha, _ISalpha, is_letter(c))
CLASS(isblank, _ISblank, c == ' ' || c == '\t')
CLASS(iscntrl, _IScntrl, (c >= 0 && c < ' ') || c == 127)
CLASS(isdigit, _ISdigit, is_digit(c))
CLASS(isgraph, _ISgraph, is_visible(c))
CLASS(islower, _ISlower, is_lower(c))
CLASS(isprint, _ISprint, is_visible(c) || c == ' ')
CLASS(ispunct, _ISpunct, is_visible(c) && !is_letter(c) && !is_digit(c))
CLASS(isspace, _ISspace, c == ' ' || (c >= '\t' && c <= '\r'))
CLASS(isupper, _ISupper, is_upper(c))
CLASS(isxdigit, _ISxdigit, is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))

/* As in the tables. */
static int unchanged(int c) {
    return c < EOF ? c + 256 : c;
}

static int lower_in_c(int c) {
    return is_upper(c) ? c + ('a' - 'A') : unchanged(c);
}

int TWIN(tolower)(int c) {
    if (c < FIRST || c > LAST)
        return c;
    return has_c_lower_cases() ? lower_in_c(c) : (*__ctype_tolower_loc())[c];
}
HAS_INNER(tolower);

int TWIN(toupper)(int c) {
    if (c < FIRST || c > LAST)
        return c;
    if (has_c_upper_cases())
        return is_lower(c) ? c - ('a' - 'A') : unchanged(c);
    return (*__ctype_toupper_loc())[c];
}

int TWIN(strncasecmp)(const char *a, const char *b, size_t limit) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    const int *lower = has_c_lower_cases() ? NULL : *__ctype_tolower_loc();
    if (x == y)
        return 0;
    for (size_t i = 0; i < limit; i++) {
        int c = lower ? lower[x[i]] : lower_in_c(x[i]);
        int d = lower ? lower[y[i]] : lower_in_c(y[i]);
        if (c != d)
            return c - d;
        if (!x[i])
            return 0;
    }
    return 0;
}
HAS_INNER(strncasecmp);

int TWIN(strcasecmp)(const char *a, const char *b) {
    return INNER(strncasecmp)(a, b, (size_t)-1);
}

char *TWIN(strcasestr)(const char *text, const char *wanted) {
    /* As in `strstr`. */
    enum { MUCH = 4096 };
    const int *table = has_c_lower_cases() ? NULL : *__ctype_tolower_loc();
    size_t effort = 0;
    for (;; text++) {
        size_t i = 0;
        for (; wanted[i] && text[i]; i++) {
            unsigned char x = wanted[i], y = text[i];
            if ((table ? table[x] : lower_in_c(x)) != (table ? table[y] : lower_in_c(y)))
                break;
        }
        if (!wanted[i])
            return (char *)text;
        if (!text[i])
            return NULL;
        effort += i;
        if (effort > MUCH)
            return strcasestr(text, wanted);
    }
}
