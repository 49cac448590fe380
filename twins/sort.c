/* <stdlib.h>: sorting and searching, with the very comparisons in the very order that glibc makes them. */

#define _GNU_SOURCE
#include "twin.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <unistd.h>

typedef int comparison(const void *, const void *);

void *TWIN(bsearch)(const void *wanted, const void *base, size_t count, size_t size, comparison *compare) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *member = (const char *)base + middle * size;
        int order = compare(wanted, member);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)member;
    }
    return NULL;
}

/* Sorts by merging halves; `merged` has room for all of it. */
static void merge_sort(char *base, size_t count, size_t size, comparison *compare, char *merged) {
    if (count <= 1)
        return;
    size_t left_count = count / 2, right_count = count - left_count;
    char *left = base, *right = base + left_count * size;
    merge_sort(left, left_count, size, compare, merged);
    merge_sort(right, right_count, size, compare, merged);
    char *next = merged;
    while (left_count > 0 && right_count > 0) {
        if (compare(left, right) <= 0) {
            left_count--;
            __builtin_memcpy(next, left, size);
            left += size;
        } else {
            right_count--;
            __builtin_memcpy(next, right, size);
            right += size;
        }
        next += size;
    }
    __builtin_memcpy(next, left, left_count * size);
    __builtin_memcpy(base, merged, (count - right_count) * size);
}

/* The same for pointers to what is sorted. */
static void merge_sort_indirectly(char **base, size_t count, comparison *compare, char **merged) {
    if (count <= 1)
        return;
    size_t left_count = count / 2, right_count = count - left_count;
    char **left = base, **right = base + left_count;
    merge_sort_indirectly(left, left_count, compare, merged);
    merge_sort_indirectly(right, right_count, compare, merged);
    char **next = merged;
    while (left_count > 0 && right_count > 0) {
        if (compare(*left, *right) <= 0) {
            left_count--;
            *next++ = *left++;
        } else {
            right_count--;
            *next++ = *right++;
        }
    }
    while (left_count-- > 0)
        *next++ = *left++;
    __builtin_memcpy(base, merged, (count - right_count) * sizeof *base);
}

/* Puts every member where its pointer stands; `spare` has room for one. */
static void permute(char *base, size_t count, size_t size, char **pointers, char *spare) {
    for (size_t i = 0; i < count; i++) {
        char *here = base + i * size, *from = pointers[i];
        if (from == here)
            continue;
        __builtin_memcpy(spare, here, size);
        size_t j = i;
        while (from != here) {
            size_t k = (from - base) / size;
            pointers[j] = base + j * size;
            __builtin_memcpy(base + j * size, from, size);
            j = k;
            from = pointers[k];
        }
        pointers[j] = base + j * size;
        __builtin_memcpy(base + j * size, spare, size);
    }
}

/* Members larger than this are sorted by pointers to them. */
enum { LARGE = 32 };

static void sort_within(char *base, size_t count, size_t size, comparison *compare, char *room) {
    if (size <= LARGE) {
        merge_sort(base, count, size, compare, room);
        return;
    }
    char **merged = (char **)room, **pointers = merged + count;
    for (size_t i = 0; i < count; i++)
        pointers[i] = base + i * size;
    merge_sort_indirectly(pointers, count, compare, merged);
    permute(base, count, size, pointers, (char *)(pointers + count));
}

void TWIN(qsort)(void *base, size_t count, size_t size, comparison *compare) {
    /* As glibc has it: small ones on the stack, large ones in fresh memory, and if there is none, in place. */
    enum { SMALL = 1024 };
    size_t needed = size > LARGE ? 2 * count * sizeof(void *) + size : count * size;
    if (needed < SMALL) {
        _Alignas(16) char room[SMALL];
        sort_within(base, count, size, compare, room);
        return;
    }
    static size_t most;
    if (most == 0) {
        long pages = sysconf(_SC_PHYS_PAGES);
        most = pages < 0 ? (size_t)-1 : (size_t)pages / 4 * sysconf(_SC_PAGESIZE);
    }
    int saved = errno;
    char *room = needed <= most ? malloc(needed) : NULL;
    errno = saved;
    if (!room) {
        qsort(base, count, size, compare);
        return;
    }
    sort_within(base, count, size, compare, room);
    free(room);
}

void *TWIN(lfind)(const void *key, const void *base, size_t *count, size_t size, comparison *compare) {
    const char *element = base;
    size_t i = 0;
    for (; i < *count && compare(key, element) != 0; i++)
        element += size;
    return i < *count ? (void *)element : NULL;
}
HAS_INNER(lfind);

void *TWIN(lsearch)(const void *key, void *base, size_t *count, size_t size, comparison *compare) {
    void *found = INNER(lfind)(key, base, count, size, compare);
    if (found)
        return found;
    void *element = (char *)base + *count * size;
    __builtin_memcpy(element, key, size);
    ++*count;
    return element;
}
