//@ flags: -pthread
// What the macros of <ctype.h> read is what the library has in its tables: in every locale, and in a thread's own.
#define _GNU_SOURCE
#include "parts/twins.h"

#include <ctype.h>
#include <locale.h>
#include <pthread.h>
#include <string.h>

LIBRARY(__ctype_b_loc);
LIBRARY(__ctype_tolower_loc);
LIBRARY(__ctype_toupper_loc);

static void tables(const char *where) {
    for (int c = -128; c < 256; c++) {
        CHECK((*__ctype_b_loc())[c] == (*library___ctype_b_loc())[c], "class of %d in %s", c, where);
        CHECK((*__ctype_tolower_loc())[c] == (*library___ctype_tolower_loc())[c], "lower case of %d in %s", c, where);
        CHECK((*__ctype_toupper_loc())[c] == (*library___ctype_toupper_loc())[c], "upper case of %d in %s", c, where);
    }
}

// Each of these is a macro or an inline function where the headers have one.
static void macros(void) {
    static const char text[] = "Hello, World 42!\t\x01\xe4\xff~";
    unsigned long made = 0;
    for (const char *at = text; at <= text + sizeof text; at++) {
        int c = at == text + sizeof text ? EOF : *at;
        int found[] = {isalnum(c), isalpha(c), isblank(c), iscntrl(c), isdigit(c), isgraph(c), islower(c),
                       isprint(c), ispunct(c), isspace(c), isupper(c), isxdigit(c), tolower(c), toupper(c)};
        for (unsigned i = 0; i < sizeof found / sizeof *found; i++)
            made = made * 31 + found[i];
    }
    printf("%lx\n", made);
}

static void *in_thread(void *name) {
    tables("a new thread");
    locale_t own = newlocale(LC_ALL_MASK, name, (locale_t)0);
    if (!own)
        return NULL;
    locale_t before = uselocale(own);
    tables(name);
    macros();
    uselocale(before);
    freelocale(own);
    tables("the thread's first locale");
    return NULL;
}

int main(void) {
    static const char *const names[] = {"C", "C.UTF-8", "de_DE", "de_DE.ISO-8859-1", "tr_TR", "POSIX"};
    tables("the beginning");
    macros();
    for (unsigned round = 0; round < 3; round++)
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
            pthread_t thread;
            if (pthread_create(&thread, NULL, in_thread, (void *)names[i]) != 0 || pthread_join(thread, NULL) != 0)
                abort();
            tables("what it was");
            if (setlocale(round == 1 ? LC_CTYPE : LC_ALL, names[i]))
                tables(names[i]);
        }
    macros();
    return result();
}
