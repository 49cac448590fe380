/* <ctype.h>, where its functions are called rather than its macros used; comparing without regard to case.
 *
 * In the "C" locale classes are told by comparisons, in all others by the library's own tables, which its functions
 * read too. */

#define _GNU_SOURCE
#define __NO_CTYPE
#include "twin.h"

#include <ctype.h>
#include <locale.h>
#include <strings.h>

/* The tables reach from here; beyond them the library reads whatever is there. */
enum { FIRST = -128, LAST = 255 };

static const unsigned short *tables_of_c;

static int is_in_c_locale(void) {
    if (!tables_of_c) {
        /* Gives the library's own constant object; nothing is allocated. */
        locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (!c)
            return 0;
        tables_of_c = c->__ctype_b;
    }
    return *__ctype_b_loc() == tables_of_c;
}

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
        if (c >= FIRST && c <= LAST && is_in_c_locale())                                                               \
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

/* Negative characters, but for EOF, come out of the tables as positive ones. */
static int unchanged(int c) {
    return c < EOF ? c + 256 : c;
}

static int lower_in_c(int c) {
    return is_upper(c) ? c + ('a' - 'A') : unchanged(c);
}

int TWIN(tolower)(int c) {
    if (c < FIRST || c > LAST)
        return c;
    return is_in_c_locale() ? lower_in_c(c) : (*__ctype_tolower_loc())[c];
}

int TWIN(toupper)(int c) {
    if (c < FIRST || c > LAST)
        return c;
    if (is_in_c_locale())
        return is_lower(c) ? c - ('a' - 'A') : unchanged(c);
    return (*__ctype_toupper_loc())[c];
}

int TWIN(strncasecmp)(const char *a, const char *b, size_t limit) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    const int *lower = is_in_c_locale() ? NULL : *__ctype_tolower_loc();
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
