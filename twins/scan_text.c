/* Characters, strings and sets of `scanf`. */

#define _GNU_SOURCE
#include "scan.h"

#include "number.h"

#include <stdlib.h>

/* Where text is stored. */
struct place {
    char *next;
    /* The program's pointer to what is allocated, and how much that is. */
    char **allocated;
    size_t size;
};

static enum end begin(struct scan *scan, const struct conversion *it, size_t size, struct place *to) {
    if (it->is_suppressed)
        return CONVERTED;
    if (it->allocation == NO_ALLOCATION) {
        to->next = va_arg(scan->arguments, char *);
        return to->next ? CONVERTED : MISMATCH;
    }
    to->allocated = va_arg(scan->arguments, char **);
    scan->unfinished = to->allocated;
    if (!to->allocated)
        return MISMATCH;
    to->size = size;
    to->next = *to->allocated = malloc(size);
    if (to->next) {
        scan->allocated[scan->allocations++] = to->allocated;
        return CONVERTED;
    }
    return it->allocation == BY_M ? NO_MEMORY : MISMATCH;
}

/* Makes room for more when there is none. */
static enum end enlarge(struct scan *scan, const struct conversion *it, struct place *to) {
    size_t size = 2 * to->size;
    char *larger = realloc(*to->allocated, size);
    if (!larger) {
        size = to->size + 1;
        larger = realloc(*to->allocated, size);
    }
    if (larger) {
        *to->allocated = larger;
        to->next = larger + to->size;
        to->size = size;
        return CONVERTED;
    }
    if (it->allocation == BY_M)
        return NO_MEMORY;
    /* What there is of the text counts. */
    (*to->allocated)[to->size - 1] = 0;
    scan->unfinished = NULL;
    scan->done++;
    return MISMATCH;
}

static enum end put(struct scan *scan, const struct conversion *it, struct place *to, char c) {
    if (it->is_suppressed)
        return CONVERTED;
    *to->next++ = c;
    int is_full = to->allocated && to->next == *to->allocated + to->size;
    /* Of characters it is known how many there can be. */
    return is_full && it->letter != 'c' ? enlarge(scan, it, to) : CONVERTED;
}

static enum end finish(struct scan *scan, const struct conversion *it, struct place *to) {
    if (it->is_suppressed)
        return CONVERTED;
    if (it->letter != 'c') {
        if (to->next == scan->from.next && *to->next)
            scan->from.stored_zero = to->next;
        *to->next++ = 0;
    }
    if (to->allocated && to->next != *to->allocated + to->size) {
        char *smaller = realloc(*to->allocated, to->next - *to->allocated);
        if (smaller)
            *to->allocated = smaller;
    }
    scan->unfinished = NULL;
    scan->done++;
    return CONVERTED;
}

/* Whether a character stands in the set, which goes as far as a `]`. One that stands first belongs to it, and so does a
 * hyphen there. */
static int is_in_set(const char *set, unsigned char c) {
    const unsigned char *at = (const unsigned char *)set;
    if (*at == ']' || *at == '-') {
        if (c == *at)
            return 1;
        at++;
    }
    for (; *at != ']'; at++) {
        if (*at == '-' && at[1] != ']' && at[-1] <= at[1]) {
            /* The last of the range has its turn as a character of its own. */
            if (c >= at[-1] && c < at[1])
                return 1;
        } else if (c == *at) {
            return 1;
        }
    }
    return 0;
}

static int is_wanted(const struct conversion *it, int c) {
    switch (it->letter) {
    case 'c':
        return 1;
    case 's':
        return !is_space(c);
    default:
        return is_in_set(it->set, c) != it->is_inverted;
    }
}

enum end __faultline_scan_text(struct scan *scan, const struct conversion *it) {
    enum { FIRST_SIZE = 100 };
    struct source *from = &scan->from;
    struct place to = {NULL, NULL, 0};
    int left = it->letter == 'c' && it->width < 0 ? 1 : it->width;
    enum end end = begin(scan, it, it->letter == 'c' ? (size_t)left : FIRST_SIZE, &to);
    if (end != CONVERTED)
        return end;
    if (__faultline_get(from) == EOF)
        return NO_INPUT;
    int is_empty = 1;
    do {
        if (!is_wanted(it, from->last)) {
            __faultline_unget(from);
            break;
        }
        end = put(scan, it, &to, from->last);
        if (end != CONVERTED)
            return end;
        is_empty = 0;
    } while ((left < 0 || --left > 0) && __faultline_get(from) != EOF);
    return is_empty ? MISMATCH : finish(scan, it, &to);
}
