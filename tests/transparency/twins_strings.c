// Twins of <string.h> do what the library does: random strings over small alphabets, at the very end of mapped memory.
#define _GNU_SOURCE
#include "parts/twins.h"

#include <locale.h>
#include <string.h>
#include <strings.h>

LIBRARY(strlen);
LIBRARY(strnlen);
LIBRARY(strcmp);
LIBRARY(strncmp);
LIBRARY(strcasecmp);
LIBRARY(strncasecmp);
LIBRARY(memcmp);
static char *(*volatile library_strchr)(const char *, int) = strchr;
static char *(*volatile library_strrchr)(const char *, int) = strrchr;
static char *(*volatile library_strchrnul)(const char *, int) = strchrnul;
static void *(*volatile library_memchr)(const void *, int, size_t) = memchr;
static void *(*volatile library_memrchr)(const void *, int, size_t) = memrchr;
static void *(*volatile library_rawmemchr)(const void *, int) = rawmemchr;
LIBRARY(strstr);
LIBRARY(strspn);
LIBRARY(strcspn);
LIBRARY(strpbrk);
LIBRARY(strcpy);
LIBRARY(strncpy);
LIBRARY(stpcpy);
LIBRARY(stpncpy);
LIBRARY(strcat);
LIBRARY(strncat);
LIBRARY(strtok);
LIBRARY(strtok_r);
LIBRARY(strsep);
LIBRARY(bcmp);
LIBRARY(strcoll);
LIBRARY(strcasestr);
LIBRARY(index);
LIBRARY(rindex);
LIBRARY(memmem);
LIBRARY(memccpy);
LIBRARY(swab);
LIBRARY(bcopy);
LIBRARY(bzero);

static const char *const alphabets[] = {"ab", "aA", "\x80\xff\x7f", "abcXYZ,; \t", "\xe4\xc4zZ@[`{"};

// A string of random length that ends where memory ends.
static char *make(char *page, unsigned longest) {
    const char *alphabet = alphabets[chance(5)];
    unsigned letters = library_strlen(alphabet), length = chance(longest + 1);
    char *string = page + PAGE - 1 - length;
    for (unsigned i = 0; i < length; i++)
        string[i] = alphabet[chance(letters)];
    string[length] = 0;
    return string;
}

static int letter(void) {
    static const int letters[] = {'a', 'b', 0, 0xff, -1, 0x80, ',', 'A', 256 + 'a'};
    return letters[chance(9)];
}

static void compare_two(char *a, char *b) {
    CHECK(strlen(a) == library_strlen(a), "strlen(%s)", a);
    CHECK(strcmp(a, b) == library_strcmp(a, b), "strcmp(%s, %s)", a, b);
    CHECK(strcasecmp(a, b) == library_strcasecmp(a, b), "strcasecmp(%s, %s)", a, b);
    size_t length_a = strlen(a), length_b = strlen(b), least = length_a < length_b ? length_a : length_b;
    CHECK(memcmp(a, b, least + 1) == library_memcmp(a, b, least + 1), "memcmp(%s, %s)", a, b);
    size_t limits[] = {0, 1, least, least + 1, length_a + 1, 1000, (size_t)-1};
    for (int i = 0; i < 7; i++) {
        CHECK(strncmp(a, b, limits[i]) == library_strncmp(a, b, limits[i]), "strncmp(%s, %s, %zu)", a, b, limits[i]);
        CHECK(strncasecmp(a, b, limits[i]) == library_strncasecmp(a, b, limits[i]), "strncasecmp(%s, %s)", a, b);
        CHECK(strnlen(a, limits[i]) == library_strnlen(a, limits[i]), "strnlen(%s, %zu)", a, limits[i]);
    }
    CHECK(strspn(a, b) == library_strspn(a, b), "strspn(%s, %s)", a, b);
    CHECK(strcspn(a, b) == library_strcspn(a, b), "strcspn(%s, %s)", a, b);
    CHECK(strpbrk(a, b) == library_strpbrk(a, b), "strpbrk(%s, %s)", a, b);
    CHECK(strstr(a, b) == library_strstr(a, b), "strstr(%s, %s)", a, b);
    CHECK(strcasestr(a, b) == library_strcasestr(a, b), "strcasestr(%s, %s)", a, b);
    CHECK(strcoll(a, b) == library_strcoll(a, b), "strcoll(%s, %s)", a, b);
    CHECK(bcmp(a, b, least + 1) == library_bcmp(a, b, least + 1), "bcmp(%s, %s)", a, b);
    for (size_t wanted = 0; wanted <= length_b; wanted += 1 + wanted / 4) {
        CHECK(memmem(a, length_a, b, wanted) == library_memmem(a, length_a, b, wanted), "memmem(%s, %s)", a, b);
        CHECK(memmem(b, length_b, b, wanted) == b, "memmem(%s, %zu)", b, wanted);
    }
}

static void find(char *a) {
    int c = letter();
    size_t size = strlen(a) + 1;
    CHECK(strchr(a, c) == library_strchr(a, c), "strchr(%s, %d)", a, c);
    CHECK(strrchr(a, c) == library_strrchr(a, c), "strrchr(%s, %d)", a, c);
    CHECK(strchrnul(a, c) == library_strchrnul(a, c), "strchrnul(%s, %d)", a, c);
    CHECK(memchr(a, c, size) == library_memchr(a, c, size), "memchr(%s, %d)", a, c);
    CHECK(memrchr(a, c, size) == library_memrchr(a, c, size), "memrchr(%s, %d)", a, c);
    if (library_memchr(a, c, size))
        CHECK(rawmemchr(a, c) == library_rawmemchr(a, c), "rawmemchr(%s, %d)", a, c);
    CHECK(index(a, c) == library_index(a, c), "index(%s, %d)", a, c);
    CHECK(rindex(a, c) == library_rindex(a, c), "rindex(%s, %d)", a, c);
    CHECK(memchr(a, c, 0) == NULL && memrchr(a, c, 0) == NULL, "of no bytes");
}

enum { AREA = 3000 };
static char ours[AREA], theirs[AREA];

static void same_areas(const char *what) {
    CHECK(library_memcmp(ours, theirs, AREA) == 0, "%s", what);
}

static void copy(char *a, char *b) {
    unsigned at = chance(64), limit = chance(200);
    memset(ours, 'x', AREA);
    memset(theirs, 'x', AREA);
#define COPY(f, ...)                                                                                                   \
    do {                                                                                                               \
        char *p = f(ours + at, __VA_ARGS__), *q = library_##f(theirs + at, __VA_ARGS__);                               \
        CHECK(p - ours == q - theirs, "result of " #f);                                                                \
        same_areas(#f);                                                                                                \
    } while (0)
    COPY(strcpy, a);
    COPY(stpcpy, b);
    COPY(strncpy, a, limit);
    COPY(strncpy, b, 0);
    COPY(stpncpy, b, limit);
    COPY(strcpy, a);
    COPY(strcat, b);
    COPY(strncat, a, limit);
    COPY(strncat, b, (size_t)-1);
    int c = letter();
    size_t size = library_strlen(a) + 1;
    char *p = memccpy(ours + at, a, c, size), *q = library_memccpy(theirs + at, a, c, size);
    CHECK(p ? p - ours == q - theirs : !q, "result of memccpy");
    same_areas("memccpy");
    swab(a, ours + at, size);
    library_swab(a, theirs + at, size);
    // Nor a negative length, nor what overlaps.
    swab(a, ours, -2);
    swab(ours + at, ours + at + 2, size);
    library_swab(theirs + at, theirs + at + 2, size);
    swab(ours + at + 1, ours + at, size);
    library_swab(theirs + at + 1, theirs + at, size);
    same_areas("swab");
    bcopy(ours + at, ours + at + 3, size);
    library_bcopy(theirs + at, theirs + at + 3, size);
    bzero(ours + at, limit);
    library_bzero(theirs + at, limit);
    same_areas("bcopy and bzero");
}

static void tokens(char *a, char *b) {
    library_strcpy(ours, a);
    library_strcpy(theirs, a);
    char *rest_a = NULL, *rest_b = NULL;
    char *p = strtok_r(ours, b, &rest_a), *q = library_strtok_r(theirs, b, &rest_b);
    for (;;) {
        CHECK((p == NULL) == (q == NULL) && (!p || p - ours == q - theirs), "strtok_r(%s, %s)", a, b);
        same_areas("strtok_r");
        CHECK(rest_a - ours == rest_b - theirs, "the rest of strtok_r");
        if (!p || !q)
            break;
        p = strtok_r(NULL, b, &rest_a);
        q = library_strtok_r(NULL, b, &rest_b);
    }
    library_strcpy(ours, a);
    library_strcpy(theirs, a);
    // Without twins they share their state, so one after the other.
    unsigned long our_tokens = 0, their_tokens = 0;
    for (p = strtok(ours, b); p; p = strtok(NULL, b))
        our_tokens = our_tokens * 31 + (p - ours) + 1;
    for (q = library_strtok(theirs, b); q; q = library_strtok(NULL, b))
        their_tokens = their_tokens * 31 + (q - theirs) + 1;
    CHECK(our_tokens == their_tokens, "strtok(%s, %s)", a, b);
    same_areas("strtok");
    library_strcpy(ours, a);
    library_strcpy(theirs, a);
    char *at_a = ours, *at_b = theirs;
    do {
        p = strsep(&at_a, b);
        q = library_strsep(&at_b, b);
        CHECK(p - ours == q - theirs, "strsep(%s, %s)", a, b);
        CHECK((at_a == NULL) == (at_b == NULL), "the rest of strsep");
        same_areas("strsep");
    } while (at_a && at_b);
    CHECK(strsep(&at_a, b) == NULL, "strsep after the end");
}

static void duplicate(char *a) {
    char *p = strdup(a), *q = strndup(a, chance(20));
    CHECK(library_strcmp(p, a) == 0, "strdup(%s)", a);
    CHECK(library_strncmp(q, a, library_strlen(q)) == 0, "strndup(%s)", a);
    free(p);
    free(q);
}

// Far more than twins do themselves.
static void large(void) {
    enum { SIZE = 1 << 16 };
    char *a = malloc(SIZE), *b = malloc(SIZE);
    memset(a, 'a', SIZE);
    a[SIZE - 1] = 0;
    memset(b, 'a', SIZE);
    b[SIZE / 2] = 'b';
    b[SIZE / 2 + 1] = 0;
    CHECK(strlen(a) == SIZE - 1, "strlen");
    CHECK(strstr(a, b) == NULL, "strstr");
    CHECK(memcmp(a, b, SIZE) == library_memcmp(a, b, SIZE), "memcmp");
    CHECK(strcmp(a, b) == library_strcmp(a, b), "strcmp");
    a[SIZE - 2] = 'b';
    CHECK(strstr(a, b + 100) == library_strstr(a, b + 100), "strstr");
    CHECK(strcasestr(a, b + 100) == library_strcasestr(a, b + 100), "strcasestr");
    CHECK(memmem(a, SIZE, b, SIZE / 4) == library_memmem(a, SIZE, b, SIZE / 4), "memmem");
    CHECK(memmem(a, SIZE, "ba", 3) == NULL && memmem(a, SIZE, "b", 2) == a + SIZE - 2, "memmem");
    CHECK(rawmemchr(a, 'b') == a + SIZE - 2, "rawmemchr");
    CHECK(memchr(a, 'b', SIZE) == a + SIZE - 2, "memchr");
    CHECK(memrchr(a, 'a', SIZE) == a + SIZE - 3, "memrchr");
    CHECK(strchr(a, 'b') == a + SIZE - 2 && strrchr(a, 'a') == a + SIZE - 3, "strchr");
    free(a);
    free(b);
}

int main(void) {
    char *first = guarded_page(), *second = guarded_page();
    for (int i = 0; i < 400; i++) {
        if (i == 300)
            setlocale(LC_ALL, "C.UTF-8");
        unsigned longest = i % 3 == 0 ? 200 : 12;
        char *a = make(first, longest), *b = make(second, i % 2 ? longest : 3);
        compare_two(a, b);
        find(a);
        copy(a, b);
        tokens(a, b);
        duplicate(a);
    }
    large();
    return result();
}
