// Twins of printf and its relatives do what the library does: random conversions with their values.
#define _GNU_SOURCE
#include "parts/twins.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

LIBRARY(vsnprintf);
LIBRARY(snprintf);
LIBRARY(sprintf);
LIBRARY(asprintf);
LIBRARY(fprintf);

enum { AREA = 2000 };
static char ours[AREA], theirs[AREA];

// Formats both ways with the same arguments and compares results, errors and memory.
static void both(size_t size, const char *format, ...) {
    va_list once, again;
    memset(ours, 'x', AREA);
    memset(theirs, 'x', AREA);
    va_start(once, format);
    va_copy(again, once);
    errno = 7;
    int our_length = vsnprintf(ours, size, format, once);
    int our_error = errno;
    errno = 7;
    int their_length = library_vsnprintf(theirs, size, format, again);
    CHECK(our_length == their_length, "%d instead of %d for \"%s\"", our_length, their_length, format);
    CHECK(our_length >= 0 || our_error == errno, "error %d instead of %d for \"%s\"", our_error, errno, format);
    CHECK(memcmp(ours, theirs, AREA) == 0, "[%.*s] instead of [%.*s] for \"%s\"", 60, ours, 60, theirs, format);
    va_end(again);
    va_end(once);
}

static void random_conversion(void) {
    static const char *const lengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t", "q"};
    static const long numbers[] = {0, 1, -1, 7, 42, -128, 255, 65535, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, 1234567};
    static const double reals[] = {0.0, -0.0, 1.0, -1.5, 0.1, 1e100, 1e-300, DBL_MAX, 123456.789, 2.5, 1.0 / 0.0};
    static const char *const strings[] = {"", "a", "hello", "\xff\x80", NULL,
                                          "a longer text that does not fit into what is left, and goes on and on"};
    char format[100], *at = format;
    if (chance(2))
        at += library_sprintf(at, "%s", chance(2) ? "text " : "%%");
    *at++ = '%';
    while (chance(3) == 0)
        *at++ = "-+ #0'I"[chance(chance(4) ? 5 : 7)];
    int stars[2], star_count = 0;
    if (chance(3) == 0) {
        if (chance(3) == 0) {
            *at++ = '*';
            stars[star_count++] = (int)chance(40) - 20;
        } else {
            at += library_sprintf(at, "%u", chance(chance(8) ? 20 : 300));
        }
    }
    if (chance(3) == 0) {
        *at++ = '.';
        if (chance(3) == 0) {
            *at++ = '*';
            stars[star_count++] = (int)chance(30) - 5;
        } else if (chance(5)) {
            at += library_sprintf(at, "%u", chance(chance(8) ? 12 : 300));
        }
    }
    unsigned kind = chance(10);
    const char *length = lengths[chance(9)];
    int wide = length[0] == 'l' || length[0] == 'j' || length[0] == 'z' || length[0] == 't' || length[0] == 'q';
    size_t size = chance(3) ? AREA : chance(60);
#define CALL(value)                                                                                                    \
    (star_count == 0   ? both(size, format, value, 5)                                                                  \
     : star_count == 1 ? both(size, format, stars[0], value, 5)                                                        \
                       : both(size, format, stars[0], stars[1], value, 5))
    if (kind < 5) {
        library_sprintf(at, "%s%c|%%d", length, "diuxXo"[chance(6)]);
        long number = numbers[chance(13)];
        if (wide)
            CALL(number);
        else
            CALL((int)number);
    } else if (kind < 7) {
        int is_long = chance(3) == 0;
        library_sprintf(at, "%s%c|%%d", is_long ? "L" : "", "aAeEfFgG"[chance(8)]);
        double real = reals[chance(11)];
        if (is_long)
            CALL((long double)real);
        else
            CALL(real);
    } else if (kind == 7) {
        library_sprintf(at, "%s", "s|%d");
        CALL(strings[chance(6)]);
    } else if (kind == 8) {
        library_sprintf(at, "%s", "c|%d");
        CALL((int)chance(256));
    } else {
        library_sprintf(at, "%s", "p|%d");
        CALL(chance(2) ? (void *)0xdeadbeef : NULL);
    }
}

static void special(void) {
    both(AREA, "");
    both(0, "abc");
    both(1, "abc %d", 5);
    both(AREA, "100%%");
    both(AREA, "%2$s and %1$s", "one", "two");
    both(AREA, "%3$*1$.*2$f|%4$ld|%3$g", 12, 3, 3.14159, 123456789012L);
    both(AREA, "%1$d %1$d %2$s", 5, "x");
    both(AREA, "%2$d", 5, 6);
    both(AREA, "plain %d then %1$d", 5, 6);
    both(AREA, "%2$hhd %1$Lf", 1.5L, 300);
    both(AREA, "%65$d", 1);
    both(AREA, "%y %d", 5);
    both(AREA, "%d %y %d %s", 5, 6, "seven");
    both(AREA, "%");
    both(AREA, "abc%");
    both(AREA, "%-");
    both(AREA, "%l");
    both(AREA, "%5%|%-5%|");
    both(AREA, "%ls|%lc|%S|%C|%.2ls", L"wide", (wint_t)L'w', L"W", (wint_t)L'x', L"abc");
    both(AREA, "before %ls", L"\x20ac");
    both(AREA, "%.3s|%.0s|%.s|%10.2s|%-10.2s|", "abcdef", "abc", "abc", "abc", "abc");
    both(AREA, "%s|%.3s|%.6s|%10s", (char *)NULL, (char *)NULL, (char *)NULL, (char *)NULL);
    both(AREA, "%c%c%c", 'a', 0, 'b');
    both(AREA, "%2147483648d", 1);
    both(AREA, "%.2147483648d", 1);
    both(AREA, "%99999999999999999999d", 1);
    both(AREA, "%.*d", -1, 1);
    both(AREA, "%.1000f", 1.5);
    both(AREA, "%1000f|", 1.5);
    both(500, "%1000f|", 1.5);
    both(500, "%1000ls|", L"x");
    both(500, "%.1000f|%d", 1.5, 3);
    both(0, "%.1000f|", 1.5);
    both(AREA, "%'d|%'.2f|%Id", 1234567, 1234567.891, 42);
    both(AREA, "%hhd %hd %d %ld %lld", 300, 70000, 5, 6L, 7LL);
    both(AREA, "%zu %zd %td %jd", (size_t)-1, (ssize_t)-1, (ptrdiff_t)-5, (intmax_t)-9);
    both(AREA, "%#x %#X %#o %#x %#o %#.0o|%#5x|%-#8x|%#08x", 255, 255, 255, 0, 0, 0, 1, 2, 3);
    both(AREA, "%+d % d %+ d %+u %05d %-05d %+.0d %.0d|", 1, 2, 3, 4, -5, -6, 0, 0);
    both(AREA, "%p %20p %-20p|%p", (void *)1, (void *)2, (void *)3, NULL);
    errno = ENOENT;
    char text[50], library_text[50];
    errno = ENOENT;
    snprintf(text, sizeof text, "%s: %m (%5.3d)", "file", 7);
    errno = ENOENT;
    library_snprintf(library_text, sizeof library_text, "%s: %m (%5.3d)", "file", 7);
    CHECK(strcmp(text, library_text) == 0, "%s instead of %s", text, library_text);
}

static void counted(void) {
    signed char c = 0;
    short h = 0;
    int i = 0;
    long l = 0;
    char text[40];
    snprintf(text, 4, "abcdef%nghi%ln%hn%hhn", &i, &l, &h, &c);
    CHECK(i == 6 && l == 9 && h == 9 && c == 9, "%%n: %d %ld %d %d", i, l, h, c);
    i = 0;
    sprintf(text, "%2$d%1$n", &i, 1234);
    CHECK(i == 4, "%%1$n: %d", i);
}

// Programs do this, and with glibc it works.
static void into_itself(void) {
    for (int length = 0; length < 60; length++) {
        memset(ours, 0, AREA);
        memset(theirs, 0, AREA);
        memset(ours, 'a', length);
        memset(theirs, 'a', length);
        sprintf(ours, "%s and %d", ours, length);
        library_sprintf(theirs, "%s and %d", theirs, length);
        CHECK(memcmp(ours, theirs, AREA) == 0, "%s instead of %s", ours, theirs);
        snprintf(ours, AREA, "%s and %d", ours, length);
        library_snprintf(theirs, AREA, "%s and %d", theirs, length);
        CHECK(memcmp(ours, theirs, AREA) == 0, "%s instead of %s", ours, theirs);
    }
}

static void allocated(void) {
    for (int length = 0; length < 700; length += 13) {
        char *p = NULL, *q = NULL;
        int a = asprintf(&p, "%*d|%s", length, length, "end"), b = library_asprintf(&q, "%*d|%s", length, length, "end");
        CHECK(a == b && strcmp(p, q) == 0, "asprintf of %d", length);
        free(p);
        free(q);
    }
}

// What streams hold afterwards, and what the calls said.
static void streams(void) {
    FILE *a = tmpfile(), *b = tmpfile();
    for (int i = 0; i < 60; i++) {
        int p = fprintf(a, "%d: %*s, %.*f, %s\n", i, i * 50, "right", i * 20, 1.0 / (i + 1), "end");
        int q = library_fprintf(b, "%d: %*s, %.*f, %s\n", i, i * 50, "right", i * 20, 1.0 / (i + 1), "end");
        CHECK(p == q, "fprintf says %d instead of %d", p, q);
    }
    CHECK(fprintf(a, "%c", 0) == 1 && library_fprintf(b, "%c", 0) == 1, "a zero");
    CHECK(fputs("text\n", a) == 1 && fputs("text\n", b) == 1 && fputs("", a) >= 0, "fputs");
    CHECK(ftell(a) == ftell(b), "length %ld instead of %ld", ftell(a), ftell(b));
    rewind(a);
    rewind(b);
    for (int c; (c = getc(a)) != EOF;)
        if (c != getc(b)) {
            CHECK(0, "other contents");
            break;
        }
    fclose(a);
    fclose(b);
    FILE *reading = fopen("/dev/null", "r");
    CHECK(fprintf(reading, "%d", 5) == -1 && fprintf(reading, "") == -1, "a stream for reading");
    CHECK(fputs("x", reading) == EOF, "a stream for reading");
    fclose(reading);
    FILE *full = fopen("/dev/full", "w");
    CHECK(fprintf(full, "%d", 5) == 1 && fflush(full) == EOF, "a full device");
    clearerr(full);
    setvbuf(full, NULL, _IOLBF, 100);
    int p = fprintf(full, "%d\n", 5);
    clearerr(full);
    int q = library_fprintf(full, "%d\n", 5);
    CHECK(p == q, "a full device by lines: %d instead of %d", p, q);
    fclose(full);
    full = fopen("/dev/full", "w");
    setvbuf(full, NULL, _IONBF, 0);
    CHECK(fprintf(full, "%d", 5) == -1 && fputs("x", full) == EOF, "a full device, unbuffered");
    fclose(full);
    FILE *wide = tmpfile();
    fwide(wide, 1);
    CHECK(fprintf(wide, "x") == -1 && fprintf(wide, "") == -1, "a wide stream");
    fclose(wide);
    FILE *fresh = tmpfile();
    fprintf(fresh, "%s", "");
    CHECK(fwide(fresh, 0) < 0, "nothing printed makes a stream one of bytes");
    fclose(fresh);
    CHECK(dprintf(-1, "x") == -1 && errno == EBADF, "no descriptor");
}

int main(void) {
    for (int i = 0; i < 3000; i++)
        random_conversion();
    special();
    counted();
    into_itself();
    allocated();
    streams();
    if (setlocale(LC_ALL, "C.UTF-8") != NULL)
        special();
    puts("to standard output");
    printf("%s %d\n", "to standard output", puts(""));
    fflush(stdout);
    dprintf(1, "%s\n", "to the descriptor");
    return result();
}
