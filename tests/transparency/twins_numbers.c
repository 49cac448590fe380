// Twins of <stdlib.h> and <ctype.h> do what the library does.
#define _GNU_SOURCE
#include "parts/twins.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <search.h>
#include <string.h>

LIBRARY(strtol);
LIBRARY(strtoul);
LIBRARY(strtoll);
LIBRARY(strtoull);
LIBRARY(atoi);
LIBRARY(atol);
LIBRARY(atoll);
LIBRARY(strtoimax);
LIBRARY(strtoumax);
LIBRARY(qsort);
LIBRARY(lfind);
LIBRARY(lsearch);
static void *(*volatile library_bsearch)(const void *, const void *, size_t, size_t,
                                         int (*)(const void *, const void *)) = bsearch;

static void parse(const char *text) {
    static const int bases[] = {0, 10, 16, 8, 2, 36, 7, 1, 37, -1};
#define PARSE(f, type)                                                                                                 \
    do {                                                                                                               \
        char *end = (char *)1, *library_end = (char *)1;                                                               \
        errno = 77;                                                                                                    \
        type ours = f(text, &end, base);                                                                               \
        int our_error = errno;                                                                                         \
        errno = 77;                                                                                                    \
        type theirs = library_##f(text, &library_end, base);                                                           \
        CHECK(ours == theirs && our_error == errno && end == library_end, #f "(\"%s\", %d)", text, base);              \
        CHECK(f(text, NULL, base) == theirs, #f " without an end");                                                    \
    } while (0)
    for (int i = 0; i < 10; i++) {
        int base = bases[i];
        PARSE(strtol, long);
        PARSE(strtoul, unsigned long);
        PARSE(strtoll, long long);
        PARSE(strtoull, unsigned long long);
        PARSE(strtoimax, intmax_t);
        PARSE(strtoumax, uintmax_t);
    }
    CHECK(atoi(text) == library_atoi(text), "atoi(\"%s\")", text);
    CHECK(atol(text) == library_atol(text), "atol(\"%s\")", text);
    CHECK(atoll(text) == library_atoll(text), "atoll(\"%s\")", text);
}

static void random_numbers(char *page) {
    static const char letters[] = "0123456789012345678901234567890123456789abcxXfFzZ+- \t\n\v\xa0.";
    for (int i = 0; i < 1500; i++) {
        int length = chance(i % 4 ? 8 : 30);
        char *text = page + PAGE - 1 - length;
        for (int j = 0; j < length; j++)
            text[j] = letters[chance(sizeof letters - 1)];
        text[length] = 0;
        parse(text);
    }
}

static void edges(void) {
    static const char *const texts[] = {"", "-", "+", "0", "0x", "0X", "-0x", "0xg", "0x1G", "00", "08", "  12abc",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616",
        "99999999999999999999999", "0x7fffffffffffffff", "0xffffffffffffffff", "0x10000000000000000",
        "2147483648", "-2147483649", "\t\n\v\f\r 7", "--1", "+-1", "- 1", "1 2", "0b11", "zz", "0xzz", " \xa0 5"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        parse(texts[i]);
}

#define CLASS(f)                                                                                                       \
    do {                                                                                                               \
        static int (*volatile library)(int) = f;                                                                       \
        for (int c = -128; c < 256; c++)                                                                               \
            CHECK((f)(c) == library(c), #f "(%d)", c);                                                                 \
    } while (0)

static void classes(void) {
    CLASS(isalnum);
    CLASS(isalpha);
    CLASS(isblank);
    CLASS(iscntrl);
    CLASS(isdigit);
    CLASS(isgraph);
    CLASS(islower);
    CLASS(isprint);
    CLASS(ispunct);
    CLASS(isspace);
    CLASS(isupper);
    CLASS(isxdigit);
    CLASS(tolower);
    CLASS(toupper);
    CHECK(tolower(100000) == 100000 && toupper(-100000) == -100000, "beyond the tables");
}

// Every comparison the sort makes, in order.
static unsigned long long made;
static unsigned comparisons;
static const char *origin;

static void note(const void *a, const void *b) {
    made = made * 31 + ((const char *)a - origin) * 7 + ((const char *)b - origin);
    comparisons++;
}

static int by_first_byte(const void *a, const void *b) {
    note(a, b);
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

// No order at all: sorting must end and do what the library does.
static int by_chance(const void *a, const void *b) {
    note(a, b);
    return (int)(made % 3) - 1;
}

static void sort(size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *base = malloc(count * size + 1), *copy = malloc(count * size + 1);
    for (size_t i = 0; i < count * size; i++)
        base[i] = copy[i] = chance(size > 1 ? 7 : 256);
    made = comparisons = 0;
    origin = base;
    qsort(base, count, size, compare);
    unsigned long long our_comparisons = made;
    made = comparisons = 0;
    origin = copy;
    library_qsort(copy, count, size, compare);
    CHECK(made == our_comparisons, "comparisons of %zu of %zu", count, size);
    CHECK(memcmp(base, copy, count * size) == 0, "%zu of %zu sorted", count, size);
    if (compare == by_first_byte && count > 0) {
        origin = base;
        for (int i = 0; i < 8; i++) {
            unsigned char wanted = chance(9);
            made = 0;
            void *ours = bsearch(&wanted, base, count, size, compare);
            our_comparisons = made;
            made = 0;
            CHECK(ours == library_bsearch(&wanted, base, count, size, compare), "bsearch");
            CHECK(made == our_comparisons, "comparisons of bsearch");
        }
    }
    free(base);
    free(copy);
}

static void sorting(void) {
    static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 31, 32, 33, 40, 100};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t count = 0; count < 20; count++)
            sort(count, sizes[i], by_first_byte);
        sort(500, sizes[i], by_first_byte);
        sort(37, sizes[i], by_chance);
    }
}

// How many comparisons are made, and what is stored.
static void searching(void) {
    enum { MOST = 30, SIZE = 5 };
    char ours[MOST * SIZE] = {0}, theirs[MOST * SIZE] = {0};
    size_t our_count = 0, their_count = 0;
    while (our_count < MOST) {
        char key[SIZE] = {chance(40), chance(256)};
        char *a = lfind(key, ours, &our_count, SIZE, by_first_byte);
        char *b = library_lfind(key, theirs, &their_count, SIZE, by_first_byte);
        CHECK(a ? a - ours == b - theirs : !b, "lfind of %d", key[0]);
        comparisons = 0;
        a = lsearch(key, ours, &our_count, SIZE, by_first_byte);
        unsigned our_comparisons = comparisons;
        comparisons = 0;
        b = library_lsearch(key, theirs, &their_count, SIZE, by_first_byte);
        CHECK(a - ours == b - theirs && our_count == their_count, "lsearch of %d", key[0]);
        CHECK(our_comparisons == comparisons, "comparisons of lsearch");
        CHECK(memcmp(ours, theirs, sizeof ours) == 0, "lsearch of %zu", our_count);
    }
    CHECK(lfind("\x7f", ours, &our_count, SIZE, by_first_byte) == NULL, "lfind finds what is not there");
}

static void divisions(void) {
    static const int numbers[] = {0, 1, -1, 7, -7, 2, -2, INT_MAX, INT_MIN, 12345};
    for (int i = 0; i < 10; i++)
        for (int j = 1; j < 10; j++) {
            if (numbers[i] == INT_MIN && numbers[j] == -1)
                continue;
            div_t result = div(numbers[i], numbers[j]);
            CHECK(result.quot == numbers[i] / numbers[j] && result.rem == numbers[i] % numbers[j], "div(%d, %d)",
                  numbers[i], numbers[j]);
        }
}

int main(void) {
    char *page = guarded_page();
    edges();
    random_numbers(page);
    classes();
    sorting();
    searching();
    divisions();
    static const char *const locales[] = {"C.UTF-8", "en_US.UTF-8", "de_DE", "tr_TR"};
    for (int i = 0; i < 4; i++) {
        if (setlocale(LC_ALL, locales[i]) == NULL)
            continue;
        classes();
        edges();
        CHECK(strcasecmp("STRASSE\xc4", "strasse\xe4") == ((int (*volatile)(const char *, const char *))strcasecmp)("STRASSE\xc4", "strasse\xe4"), "strcasecmp");
    }
    return result();
}
