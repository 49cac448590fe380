//@ input: parts/scanned.txt
// Twins of scanf and its relatives do what the library does: random formats with input that fits them more or less.
#define _GNU_SOURCE
#include "parts/twins.h"

#include <errno.h>
#include <locale.h>
#include <malloc.h>
#include <stdarg.h>
#include <string.h>
#include <wchar.h>

// Headers give these names to other functions where `%a` is for numbers.
int old_vsscanf(const char *, const char *, va_list) __asm__("vsscanf");
int old_sscanf(const char *, const char *, ...) __asm__("sscanf");
int old_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
int old_fscanf(FILE *, const char *, ...) __asm__("fscanf");
int old_scanf(const char *, ...) __asm__("scanf");
int old_vscanf(const char *, va_list) __asm__("vscanf");

LIBRARY(vsscanf);
LIBRARY(vfscanf);
LIBRARY(fscanf);
LIBRARY(sscanf);
LIBRARY(old_vsscanf);
LIBRARY(old_vfscanf);

enum { ARGUMENTS = 8, ROOM = 128, AREA = ARGUMENTS * ROOM };
static char ours[AREA], theirs[AREA];
// Whether an argument is a pointer to memory that was allocated.
static int is_allocated[ARGUMENTS];
static char *page;

#define EACH(area)                                                                                                     \
    area, area + ROOM, area + 2 * ROOM, area + 3 * ROOM, area + 4 * ROOM, area + 5 * ROOM, area + 6 * ROOM,            \
        area + 7 * ROOM

struct outcome {
    int result;
    int error;
};

enum names { NEW_NAMES, OLD_NAMES };

static struct outcome from_text(enum names names, int is_twin, const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    errno = 77;
    int result;
    if (names == NEW_NAMES)
        result = is_twin ? vsscanf(text, format, arguments) : library_vsscanf(text, format, arguments);
    else
        result = is_twin ? old_vsscanf(text, format, arguments) : library_old_vsscanf(text, format, arguments);
    va_end(arguments);
    return (struct outcome){result, errno};
}

static struct outcome from_stream(enum names names, int is_twin, FILE *stream, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    errno = 77;
    int result;
    if (names == NEW_NAMES)
        result = is_twin ? vfscanf(stream, format, arguments) : library_vfscanf(stream, format, arguments);
    else
        result = is_twin ? old_vfscanf(stream, format, arguments) : library_old_vfscanf(stream, format, arguments);
    va_end(arguments);
    return (struct outcome){result, errno};
}

static void begin(void) {
    memset(ours, 'x', AREA);
    memset(theirs, 'x', AREA);
    for (int i = 0; i < ARGUMENTS; i++)
        if (is_allocated[i]) {
            memset(ours + i * ROOM, 0, sizeof(char *));
            memset(theirs + i * ROOM, 0, sizeof(char *));
        }
}

// What is allocated is compared by its contents, and then the same.
static void take_allocated(const char *format, const char *text) {
    for (int i = 0; i < ARGUMENTS; i++) {
        if (!is_allocated[i])
            continue;
        char *a, *b;
        memcpy(&a, ours + i * ROOM, sizeof a);
        memcpy(&b, theirs + i * ROOM, sizeof b);
        CHECK(!a == !b, "\"%s\" allocates or not for \"%s\"", format, text);
        if (a && b) {
            size_t size = malloc_usable_size(a);
            // A piece may be left over that is too small to be of use.
            long difference = (long)size - (long)malloc_usable_size(b);
            CHECK(labs(difference) <= 16, "\"%s\" allocates other sizes for \"%s\"", format, text);
            // Of characters there may be fewer than memory.
            int is_same = strncmp(a, b, size) == 0 || strchr(format, 'c') != NULL;
            CHECK(is_same, "\"%s\" allocates [%s] not [%s]", format, a, b);
        }
        free(a);
        free(b);
        memcpy(theirs + i * ROOM, &a, sizeof a);
    }
}

static void compare(struct outcome us, struct outcome them, const char *format, const char *text) {
    take_allocated(format, text);
    CHECK(us.result == them.result, "%d instead of %d for \"%s\" of \"%s\"", us.result, them.result, format, text);
    CHECK(us.error == them.error, "error %d instead of %d for \"%s\" of \"%s\"", us.error, them.error, format, text);
    int at = 0;
    while (at < AREA && ours[at] == theirs[at])
        at++;
    CHECK(at == AREA, "argument %d differs for \"%s\" of \"%s\"", at / ROOM, format, text);
}

static void both(enum names names, const char *text, const char *format) {
    // Nothing behind the text may be read.
    size_t size = strlen(text) + 1;
    char *at_end = page + PAGE - size;
    memcpy(at_end, text, size);
    begin();
    struct outcome us = from_text(names, 1, at_end, format, EACH(ours));
    struct outcome them = from_text(names, 0, at_end, format, EACH(theirs));
    compare(us, them, format, text);
}

static void both_streams(enum names names, const char *text, size_t length, const char *format) {
    FILE *a = fmemopen((void *)text, length, "r"), *b = fmemopen((void *)text, length, "r");
    if (!a || !b)
        abort();
    if (chance(3) == 0) {
        setvbuf(a, NULL, _IONBF, 0);
        setvbuf(b, NULL, _IONBF, 0);
    }
    begin();
    struct outcome us = from_stream(names, 1, a, format, EACH(ours));
    struct outcome them = from_stream(names, 0, b, format, EACH(theirs));
    compare(us, them, format, text);
    CHECK(feof(a) == feof(b) && ferror(a) == ferror(b), "state after \"%s\" of \"%s\"", format, text);
    CHECK(ftell(a) == ftell(b), "at %ld, not %ld, after \"%s\" of \"%s\"", ftell(a), ftell(b), format, text);
    for (int c, d; (c = getc(a)) != EOF;) {
        d = getc(b);
        CHECK(c == d, "%d follows, not %d, after \"%s\" of \"%s\"", c, d, format, text);
        if (c != d)
            break;
    }
    fclose(a);
    fclose(b);
}

static const char *one_of(const char *const *texts, unsigned count) {
    return texts[chance(count)];
}
#define ONE_OF(texts) one_of(texts, sizeof texts / sizeof *texts)

static char *append(char *at, const char *text) {
    size_t length = strlen(text);
    memcpy(at, text, length + 1);
    return at + length;
}

// A number, or something like it.
static char *random_digits(char *at) {
    static const char letters[] = "00112345678999aAbfFxX-+.eE";
    for (unsigned left = chance(chance(6) ? 6 : 30); left > 0; left--)
        *at++ = letters[chance(sizeof letters - 1)];
    *at = 0;
    return at;
}

static void random_case(void) {
    static const char *const lengths[] = {"", "", "", "hh", "h", "l", "ll", "j", "z", "t", "q", "L"};
    static const char *const integers[] = {"0", "1", "-1", "42", "+7", "-", "+", "0x", "0X1f", "-0x10", "017", "08",
        "0b1", "255", "256", "65536", "2147483648", "-2147483649", "4294967296", "9223372036854775807",
        "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "99999999999999999999999", "(nil)", "(NIL)", "(nix", "0xffffffffffffffffff", "abc", "0x0x1", "--1",
        "00000000000000000000001"};
    static const char *const reals[] = {"0", "1.5", "-2e10", ".5", "5.", ".", "1e", "1e+", "1e+5", "1E-3x", "0x1.8p3",
        "0x", "0x.", "0x.8", "0x1p", "0x1p-2", "inf", "-INF", "infinity", "infinit", "INFi", "nan", "-NaN", "nan(12)",
        "na", "+", "-.", "1.2.3", "1e400", "-1e-400", "1e5e5", "0e0", "00.1", "3.4028236e38", "1.17549435e-38", "1,5"};
    static const char *const sets[] = {"abc]", "^ ]", "]a]", "^]a]", "a-z]", "-a]", "a-]", "z-a]", "^\n]", "0-9a-fA-F]",
        "a-c-e]", "\x80-\xff]", "^\x80-\xff]", "^-z]", "a--b]", "^a-z0-9]"};
    static const char *const words[] = {"abc", "hello", "]]a-", "0x1", "\xff\x80", "a,b",
                                        "longer-than-most-of-the-others", "z", "12abc", "%", "---"};
    static const char *const spaces[] = {" ", "  ", "\n", "\t \v", " \f\r\n "};
    static const char *const odd[] = {"%", "%l", "%y", "%8$d", "%'d", "%Id", "%ls", "%lc", "%hhhd", "%5*d", "%0d",
        "%l[a]", "%S", "%C", "%mls", "%99999999999d", "%lms", "%*ms", "\xc3\xa4", "%2000mc", "%w8d",
        "%b", "%*%", "%5%", "%a[b]", "%[abc", "%[]", "%[^]",
        "%[^", "%["};
    char format[1000], text[2000], *f = format, *t = text;
    memset(is_allocated, 0, sizeof is_allocated);
    enum names names = chance(3) == 0 ? OLD_NAMES : NEW_NAMES;
    int argument = 0;
    *f = *t = 0;
    for (unsigned left = 1 + chance(5); left > 0 && argument < ARGUMENTS - 1; left--) {
        if (chance(4) == 0)
            t = append(t, ONE_OF(spaces));
        unsigned kind = chance(16);
        if (kind == 14 || chance(6) == 0)
            f = append(f, ONE_OF(spaces));
        if (kind == 15 && chance(4) == 0) {
            const char *last = ONE_OF(odd);
            f = append(f, last);
            t = append(t, ONE_OF(words));
            is_allocated[argument] = strchr(last, 'm') != NULL || (names == OLD_NAMES && strstr(last, "a[") != NULL);
            break;
        }
        if (kind >= 13) {
            const char *word = ONE_OF(words);
            if (strchr(word, '%') || word[0] < 0)
                word = "%%";
            f = append(f, word);
            t = append(t, chance(6) ? (word[0] == '%' ? "%" : word) : ONE_OF(words));
            continue;
        }
        *f++ = '%';
        int is_suppressed = chance(8) == 0;
        if (is_suppressed)
            *f++ = '*';
        if (chance(4) == 0)
            f += sprintf(f, "%u", 1 + chance(chance(3) ? 6 : 60));
        else if (kind >= 8 && kind != 12)
            // No more than there is room for.
            f += sprintf(f, "%u", chance(9) ? 100 : 2 + chance(3));
        *f = 0;
        if (kind < 5) {
            f = append(f, ONE_OF(lengths));
            *f++ = "diouxXpd"[chance(8)];
        } else if (kind < 8) {
            f = append(f, ONE_OF(lengths));
            *f++ = "aAeEfFgG"[chance(8)];
        } else if (kind == 12) {
            f = append(f, ONE_OF(lengths));
            *f++ = 'n';
        } else {
            int allocates = chance(4) == 0;
            char letter = "s[sc["[chance(5)];
            if (allocates && !is_suppressed)
                is_allocated[argument] = 1;
            if (allocates)
                *f++ = names == NEW_NAMES || letter == 'c' || chance(3) ? 'm' : 'a';
            *f++ = letter;
            if (letter == '[')
                f = append(f, ONE_OF(sets));
        }
        *f = 0;
        if (!is_suppressed)
            argument++;
        unsigned what = chance(12) ? kind : chance(16);
        if (what < 5)
            t = chance(2) ? append(t, ONE_OF(integers)) : random_digits(t);
        else if (what < 8)
            t = chance(3) ? append(t, ONE_OF(reals)) : random_digits(t);
        else if (what != 12)
            t = append(t, ONE_OF(words));
    }
    if (chance(5) == 0)
        f = append(f, ONE_OF(spaces));
    if (chance(5) == 0)
        t = append(t, ONE_OF(spaces));
    if (t == text || chance(2))
        both(names, text, format);
    else
        both_streams(names, text, t - text + chance(2), format);
}

// The other names, and what is special about streams.
static void special(void) {
    int a = 0, b = 0, n = 0;
    char word[20] = "", rest[20] = "";
    CHECK(sscanf("12 abc", "%d %19s%n", &a, word, &n) == 2 && a == 12 && !strcmp(word, "abc") && n == 6, "sscanf");
    CHECK(old_sscanf("0x12:7", "%i:%d", &a, &b) == 2 && a == 18 && b == 7, "sscanf of old");
    FILE *file = tmpfile();
    fputs("1 2 three\n4", file);
    rewind(file);
    CHECK(fscanf(file, "%d%d", &a, &b) == 2 && a == 1 && b == 2, "fscanf");
    CHECK(fscanf(file, "%d", &a) == 0 && getc(file) == 't', "fscanf of a word");
    CHECK(old_fscanf(file, "%19s%d", word, &b) == 2 && !strcmp(word, "hree") && b == 4, "fscanf of old");
    errno = 0;
    CHECK(fscanf(file, "%d", &a) == EOF && feof(file) && errno == 0, "fscanf at the end");
    fclose(file);
    // Only the end of input is the end of it.
    char itself[] = "ab cd";
    char copy[] = "ab cd";
    n = sscanf(itself, "%s %19s", itself, rest);
    int m = library_sscanf(copy, "%s %19s", copy, word);
    CHECK(n == m && !memcmp(itself, copy, sizeof copy), "into what is read: %d, not %d", n, m);
    CHECK(!strcmp(rest, word), "into what is read: %s, not %s", rest, word);
    FILE *folder = fopen("/", "r");
    errno = 0;
    CHECK(fscanf(folder, "%d", &a) == EOF && ferror(folder) && errno == EISDIR, "a folder: %d", errno);
    fclose(folder);
    FILE *writing = fopen("/dev/null", "w");
    errno = 0;
    CHECK(fscanf(writing, "%d", &a) == EOF && errno == EBADF, "a stream for writing");
    fclose(writing);
    FILE *wide = tmpfile();
    fwide(wide, 1);
    CHECK(fscanf(wide, "%d", &a) == EOF, "a wide stream");
    fclose(wide);
    FILE *fresh = tmpfile();
    CHECK(fscanf(fresh, "%n", &n) == 0 && fwide(fresh, 0) < 0, "nothing read makes a stream one of bytes");
    fclose(fresh);
    // Longer than any buffer.
    enum { LONG_TEXT = 5000 };
    char *many = malloc(LONG_TEXT + 1), *same = NULL;
    memset(many, '1', LONG_TEXT);
    many[LONG_TEXT] = 0;
    double real = 0, library_real = 1;
    CHECK(sscanf(many, "%ms", &same) == 1 && !strcmp(many, same), "a long word");
    many[2000] = '.';
    CHECK(sscanf(many, "%2300lf%n", &real, &n) == library_sscanf(many, "%2300lf%n", &library_real, &m) &&
              real == library_real && n == m, "a long number");
    many[9] = 'e';
    CHECK(sscanf(many, "%lf%n", &real, &n) == library_sscanf(many, "%lf%n", &library_real, &m) &&
              real == library_real && n == m, "a long exponent");
    free(many);
    free(same);
    void *p = &a, *q = &b;
    CHECK(sscanf("(nil)", "%5p", &p) == 1 && p == NULL && sscanf("(nil)", "%4p", &q) == 0 && q == &b, "(nil)");
    CHECK(scanf("%d %19s", &a, word) == 2 && a == 17 && !strcmp(word, "lines"), "scanf: %d %s", a, word);
    CHECK(old_scanf(" %19[a-z]%n", word, &n) == 1 && !strcmp(word, "of") && n == 3, "scanf of old: %s", word);
    CHECK(getchar() == ' ', "what follows");
}

int main(int count, char **arguments) {
    page = guarded_page();
    special();
    for (int left = count > 1 ? atoi(arguments[1]) : 4000; left > 0; left--)
        random_case();
    if (setlocale(LC_ALL, "C.UTF-8") != NULL)
        for (int left = 500; left > 0; left--)
            random_case();
    return result();
}
