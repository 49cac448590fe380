/* <string.h> and <strings.h>: looking at strings and blocks, and copying them. */

#define _GNU_SOURCE
#include "twin.h"

#include <langinfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Beyond so many bytes the library goes on, of which it is known what it reads: bytes that others have written cost much
 * when they are looked at one by one. */
enum { FAR = 256 };

size_t TWIN(strlen)(const char *string) {
    const char *end = string;
    /* Eight at a time, since each branch is counted. */
    for (int blocks = 0; blocks < FAR / 8; blocks++, end += 8) {
        if (!end[0])
            return end - string;
        if (!end[1])
            return end + 1 - string;
        if (!end[2])
            return end + 2 - string;
        if (!end[3])
            return end + 3 - string;
        if (!end[4])
            return end + 4 - string;
        if (!end[5])
            return end + 5 - string;
        if (!end[6])
            return end + 6 - string;
        if (!end[7])
            return end + 7 - string;
    }
    return FAR + strlen(end);
}
HAS_INNER(strlen);

size_t TWIN(strnlen)(const char *string, size_t limit) {
    size_t length = 0, near = limit < FAR ? limit : FAR;
    while (length < near && string[length])
        length++;
    return length == FAR ? FAR + strnlen(string + FAR, limit - FAR) : length;
}
HAS_INNER(strnlen);

int TWIN(strcmp)(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    while (*x && *x == *y) {
        x++;
        y++;
    }
    return *x - *y;
}
HAS_INNER(strcmp);

/* Without rules of the locale this is the order of the bytes; in "C" and "C.UTF-8" there are none. */
int TWIN(strcoll)(const char *a, const char *b) {
    unsigned rules = (uintptr_t)nl_langinfo(_NL_COLLATE_NRULES);
    return rules == 0 ? INNER(strcmp)(a, b) : strcoll(a, b);
}

int TWIN(strncmp)(const char *a, const char *b, size_t limit) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    size_t near = limit < FAR ? limit : FAR;
    for (size_t i = 0; i < near; i++) {
        if (x[i] != y[i])
            return x[i] - y[i];
        if (!x[i])
            return 0;
    }
    return near < limit ? strncmp(a + near, b + near, limit - near) : 0;
}

int TWIN(memcmp)(const void *a, const void *b, size_t length) {
    const unsigned char *x = a, *y = b;
    size_t near = length < FAR ? length : FAR;
    for (size_t i = 0; i < near; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return near < length ? memcmp(x + near, y + near, length - near) : 0;
}
HAS_INNER(memcmp);

int TWIN(bcmp)(const void *a, const void *b, size_t length) {
    return INNER(memcmp)(a, b, length);
}

char *TWIN(strchr)(const char *string, int wanted) {
    for (;; string++) {
        if (*string == (char)wanted)
            return (char *)string;
        if (!*string)
            return NULL;
    }
}
HAS_INNER(strchr);

char *TWIN(index)(const char *string, int wanted) {
    return INNER(strchr)(string, wanted);
}

char *TWIN(strchrnul)(const char *string, int wanted) {
    while (*string && *string != (char)wanted)
        string++;
    return (char *)string;
}

char *TWIN(strrchr)(const char *string, int wanted) {
    const char *last = NULL;
    for (;; string++) {
        if (*string == (char)wanted)
            last = string;
        if (!*string)
            return (char *)last;
    }
}
HAS_INNER(strrchr);

char *TWIN(rindex)(const char *string, int wanted) {
    return INNER(strrchr)(string, wanted);
}

/* Who looks for a byte in a large block has just read it from a file, and will come by often. */
enum { LARGE_BLOCK = 64 };

void *TWIN(memchr)(const void *block, int wanted, size_t length) {
    if (length > LARGE_BLOCK)
        return memchr(block, wanted, length);
    const unsigned char *bytes = block;
    for (size_t i = 0; i < length; i++)
        if (bytes[i] == (unsigned char)wanted)
            return (void *)(bytes + i);
    return NULL;
}

void *TWIN(memrchr)(const void *block, int wanted, size_t length) {
    if (length > LARGE_BLOCK)
        return memrchr(block, wanted, length);
    const unsigned char *bytes = block;
    for (size_t i = length; i > 0; i--)
        if (bytes[i - 1] == (unsigned char)wanted)
            return (void *)(bytes + i - 1);
    return NULL;
}

void *TWIN(rawmemchr)(const void *block, int wanted) {
    const unsigned char *at = block;
    for (size_t i = 0; i < LARGE_BLOCK; i++, at++)
        if (*at == (unsigned char)wanted)
            return (void *)at;
    return rawmemchr(at, wanted);
}

char *TWIN(strstr)(const char *text, const char *wanted) {
    /* The library's effort grows with the sum of the lengths, ours with their product: give up when it is much. */
    enum { MUCH = 4096 };
    size_t effort = 0;
    for (;; text++) {
        size_t i = 0;
        while (wanted[i] && wanted[i] == text[i])
            i++;
        if (!wanted[i])
            return (char *)text;
        if (!text[i])
            return NULL;
        effort += i;
        if (effort > MUCH)
            return strstr(text, wanted);
    }
}

void *TWIN(memmem)(const void *block, size_t length, const void *wanted, size_t wanted_length) {
    enum { MUCH = 4096 };
    const unsigned char *at = block, *bytes = wanted;
    for (size_t effort = 0; length >= wanted_length; at++, length--) {
        size_t i = 0;
        while (i < wanted_length && at[i] == bytes[i])
            i++;
        if (i == wanted_length)
            return (void *)at;
        effort += 1 + i;
        if (effort > MUCH)
            return memmem(at, length, wanted, wanted_length);
    }
    return NULL;
}

static int is_among(char c, const char *set) {
    while (*set)
        if (*set++ == c)
            return 1;
    return 0;
}

size_t TWIN(strspn)(const char *string, const char *accepted) {
    size_t length = 0;
    while (string[length] && is_among(string[length], accepted))
        length++;
    return length;
}
HAS_INNER(strspn);

size_t TWIN(strcspn)(const char *string, const char *rejected) {
    size_t length = 0;
    while (string[length] && !is_among(string[length], rejected))
        length++;
    return length;
}
HAS_INNER(strcspn);

char *TWIN(strpbrk)(const char *string, const char *accepted) {
    while (*string && !is_among(*string, accepted))
        string++;
    return *string ? (char *)string : NULL;
}

void *TWIN(memcpy)(void *to, const void *from, size_t length) {
    __builtin_memcpy(to, from, length);
    return to;
}

void *TWIN(mempcpy)(void *to, const void *from, size_t length) {
    __builtin_memcpy(to, from, length);
    return (char *)to + length;
}

void *TWIN(memmove)(void *to, const void *from, size_t length) {
    __builtin_memmove(to, from, length);
    return to;
}

void *TWIN(memset)(void *to, int value, size_t length) {
    __builtin_memset(to, value, length);
    return to;
}

void *TWIN(memccpy)(void *to, const void *from, int last, size_t length) {
    const unsigned char *bytes = from;
    size_t i = 0;
    while (i < length && bytes[i] != (unsigned char)last)
        i++;
    size_t copied = i < length ? i + 1 : length;
    __builtin_memcpy(to, from, copied);
    return i < length ? (char *)to + copied : NULL;
}

void TWIN(bcopy)(const void *from, void *to, size_t length) {
    __builtin_memmove(to, from, length);
}

void TWIN(bzero)(void *to, size_t length) {
    __builtin_memset(to, 0, length);
}

/* From the end, as the library does it: the places may overlap. */
void TWIN(swab)(const void *from, void *to, ssize_t length) {
    const char *bytes = from;
    char *swapped = to;
    for (ssize_t i = length & ~(ssize_t)1; i > 1; i -= 2) {
        char last = bytes[i - 1], first = bytes[i - 2];
        swapped[i - 2] = last;
        swapped[i - 1] = first;
    }
}

/* Strings are measured and then copied as blocks. With strings that overlap this does what the library's wide loads
 * and stores do to short ones; copying byte by byte could run on for ever. */

char *TWIN(strcpy)(char *to, const char *from) {
    __builtin_memcpy(to, from, INNER(strlen)(from) + 1);
    return to;
}
HAS_INNER(strcpy);

char *TWIN(stpcpy)(char *to, const char *from) {
    size_t length = INNER(strlen)(from);
    __builtin_memcpy(to, from, length + 1);
    return to + length;
}

char *TWIN(stpncpy)(char *to, const char *from, size_t limit) {
    size_t length = INNER(strnlen)(from, limit);
    __builtin_memcpy(to, from, length);
    __builtin_memset(to + length, 0, limit - length);
    return to + length;
}
HAS_INNER(stpncpy);

char *TWIN(strncpy)(char *to, const char *from, size_t limit) {
    INNER(stpncpy)(to, from, limit);
    return to;
}

char *TWIN(strcat)(char *to, const char *from) {
    INNER(strcpy)(to + INNER(strlen)(to), from);
    return to;
}

char *TWIN(strncat)(char *to, const char *from, size_t limit) {
    char *end = to + INNER(strlen)(to);
    size_t length = INNER(strnlen)(from, limit);
    /* The terminator before the text, as the library has it: the text may be what it terminates. */
    end[length] = 0;
    __builtin_memcpy(end, from, length);
    return to;
}

char *TWIN(strdup)(const char *string) {
    size_t size = INNER(strlen)(string) + 1;
    char *copy = malloc(size);
    if (copy)
        __builtin_memcpy(copy, string, size);
    return copy;
}

char *TWIN(strndup)(const char *string, size_t limit) {
    size_t length = INNER(strnlen)(string, limit);
    char *copy = malloc(length + 1);
    if (copy) {
        copy[length] = 0;
        __builtin_memcpy(copy, string, length);
    }
    return copy;
}

char *TWIN(strtok_r)(char *string, const char *delimiters, char **rest) {
    if (!string)
        string = *rest;
    if (!*string) {
        *rest = string;
        return NULL;
    }
    string += INNER(strspn)(string, delimiters);
    if (!*string) {
        *rest = string;
        return NULL;
    }
    char *end = string + INNER(strcspn)(string, delimiters);
    if (!*end) {
        *rest = end;
        return string;
    }
    *end = 0;
    *rest = end + 1;
    return string;
}
HAS_INNER(strtok_r);

/* Not hidden: one for the executable and all its libraries, as the library has it. */
__attribute__((weak)) char *__faultline_strtok_rest;

char *TWIN(strtok)(char *string, const char *delimiters) {
    return INNER(strtok_r)(string, delimiters, &__faultline_strtok_rest);
}

char *TWIN(strsep)(char **rest, const char *delimiters) {
    char *string = *rest;
    if (!string)
        return NULL;
    char *end = string + INNER(strcspn)(string, delimiters);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = NULL;
    }
    return string;
}
