/* What `printf` and its relatives are made of: a format is walked over, and what it makes goes to an output. */

#ifndef FAULTLINE_FORMAT_H
#define FAULTLINE_FORMAT_H

#include "twin.h"

enum destination {
    /* A stream, through a buffer. */
    TO_STREAM,
    /* Memory; what goes beyond its end is counted only. */
    TO_MEMORY,
    /* Memory that is allocated as it is needed. */
    TO_FRESH_MEMORY,
};

struct output {
    enum destination destination;
    /* The buffer or the memory. */
    char *start;
    char *next;
    /* There is room for one more byte at the end of memory. */
    char *end;
    FILE *stream;
    int holds_lock;
    /* Bytes made so far, with those nobody takes. */
    size_t total;
    /* Nothing more can be done, and the result is -1. */
    int has_failed;
};

HIDDEN void __faultline_put(struct output *, const char *, size_t);
HIDDEN void __faultline_fill(struct output *, char, size_t);
/* Lets the stream have what is in the buffer. More will follow, which others must not come between. */
HIDDEN void __faultline_flush(struct output *);
/* Makes room for so many more bytes in fresh memory. */
HIDDEN int __faultline_reserve(struct output *, size_t);
/* What printf returns. */
HIDDEN int __faultline_finish(struct output *);

HIDDEN void __faultline_format(struct output *, const char *, va_list);
/* Whether there is nothing in a format that _FORTIFY_SOURCE could object to: it writes through no argument and takes
 * them in their order. */
HIDDEN int __faultline_is_harmless(const char *);

#endif
