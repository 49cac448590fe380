/* <string.h> and <strings.h>: looking at strings and blocks, and copying them. */

#define _GNU_SOURCE
#include "twin.h"

#include <stdlib.h>
#include <string.h>

size_t TWIN(strlen)(const char *string) {
    const char *end = string;
    while (*end)
        end++;
    return end - string;
}
HAS_INNER(strlen);

size_t TWIN(strnlen)(const char *string, size_t limit) {
    size_t length = 0;
    while (length < limit && string[length])
        length++;
    return length;
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

int TWIN(strncmp)(const char *a, const char *b, size_t limit) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (size_t i = 0; i < limit; i++) {
        if (x[i] != y[i])
            return x[i] - y[i];
        if (!x[i])
            return 0;
    }
    return 0;
}

int TWIN(memcmp)(const void *a, const void *b, size_t length) {
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < length; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return 0;
}

char *TWIN(strchr)(const char *string, int wanted) {
    for (;; string++) {
        if (*string == (char)wanted)
            return (char *)string;
        if (!*string)
            return NULL;
    }
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

void *TWIN(memchr)(const void *block, int wanted, size_t length) {
    const unsigned char *bytes = block;
    for (size_t i = 0; i < length; i++)
        if (bytes[i] == (unsigned char)wanted)
            return (void *)(bytes + i);
    return NULL;
}

void *TWIN(memrchr)(const void *block, int wanted, size_t length) {
    const unsigned char *bytes = block;
    for (size_t i = length; i > 0; i--)
        if (bytes[i - 1] == (unsigned char)wanted)
            return (void *)(bytes + i - 1);
    return NULL;
}

void *TWIN(rawmemchr)(const void *block, int wanted) {
    const unsigned char *bytes = block;
    while (*bytes != (unsigned char)wanted)
        bytes++;
    return (void *)bytes;
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
