/* What `scanf` and its relatives are made of: a format is walked over, and what it asks for is read from a source. */

#ifndef FAULTLINE_SCAN_H
#define FAULTLINE_SCAN_H

#include "twin.h"

/* Where characters come from: a stream or, without one, memory. */
struct source {
    FILE *stream;
    const char *next;
    /* A zero that was stored over what is still to be read: it does not end the text, as the library has seen the end
     * before. */
    const char *stored_zero;
    /* The character that was read last; EOF for ever once there was no more. */
    int last;
    /* What errno was then. */
    int error;
    /* Characters read and not given back. */
    size_t count;
};

/* Reads a character or EOF, which then is the last one, too. */
HIDDEN int __faultline_get(struct source *);
/* Gives back the last one, if there was one. */
HIDDEN void __faultline_unget(struct source *);

/* Which standard a function is from. In the old one `%as` means `%ms`. */
enum dialect { OLD, C99 };

enum length { PLAIN, CHAR, SHORT, LONG, LONG_LONG };

/* By `m`, or by `a` where that means the same. */
enum allocation { NO_ALLOCATION, BY_M, BY_A };

struct conversion {
    int is_suppressed;
    /* Negative if there is none. */
    int width;
    enum allocation allocation;
    enum length length;
    char letter;
    /* Of `%[`: what stands between the brackets, without the `^`. */
    const char *set;
    int is_inverted;
};

/* How a conversion ends. Each but the first ends the whole call. */
enum end {
    CONVERTED,
    /* Other characters than were asked for. */
    MISMATCH,
    /* No characters at all. */
    NO_INPUT,
    NO_MEMORY,
};

/* Formats with more conversions that allocate are left to the library. */
enum { MOST_ALLOCATIONS = 32 };

struct scan {
    struct source from;
    va_list arguments;
    enum dialect dialect;
    /* Conversions that have been counted. */
    int done;
    char **allocated[MOST_ALLOCATIONS];
    int allocations;
    /* Of those the one that is being read. */
    char **unfinished;
};

/* Whether all of a format is understood here. Of no other may anything be read. */
HIDDEN int __faultline_can_scan(const char *format, enum dialect);
/* What scanf returns. */
HIDDEN int __faultline_scan(struct scan *, const char *format);

HIDDEN enum end __faultline_scan_integer(struct scan *, const struct conversion *);
HIDDEN enum end __faultline_scan_real(struct scan *, const struct conversion *);
HIDDEN enum end __faultline_scan_text(struct scan *, const struct conversion *);
HIDDEN void __faultline_store_integer(void *to, enum length, unsigned long value);

#endif
