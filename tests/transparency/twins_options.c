// Twins of getopt and its relatives do what the library does: random options on random command lines.
#define _GNU_SOURCE
#include "parts/twins.h"

#include <getopt.h>
#include <string.h>

// Headers give this name to another function where POSIX alone is wanted.
int posix_getopt(int, char *const *, const char *) __asm__("__posix_getopt");

LIBRARY(getopt);
LIBRARY(posix_getopt);
LIBRARY(getopt_long);
LIBRARY(getopt_long_only);

enum { MOST_WORDS = 8, MOST_CALLS = 24, ROOM = 1 << 14 };

static const char *const all_words[] = {
    "-a", "-b", "-ab", "-abc", "-bx", "-b", "-c", "-cfoo", "-Wname", "-W", "-Wna=x", "--", "-", "", "file", "-x", "-:", "-;",
    "--name", "--name=value", "--na", "--n", "--number", "--num=", "--none", "--nine", "--not=x", "-name", "-na", "-n",
    "--name", "-number=5", "--b", "-d", "-dd", "--=x", "--other", "-\xff", "name", "--minus", "-minus",
};
static const char *const all_letters[] = {
    "", "ab:c::d", ":ab:c::", "+ab:c::", "-ab:c::", "-:ab:", "+:ab:", "ab:cW;", "W;", ":W;a", "nb:", "a::b:n", ":", "a:b:c:d:",
};
static int flag;
static const struct option all_names[][7] = {
    {{0}},
    {{"name", required_argument, 0, 'N'}, {"none", no_argument, &flag, 7}, {0}},
    {{"number", optional_argument, 0, 300}, {"name", no_argument, 0, 'N'}, {"nine", no_argument, 0, 9}, {0}},
    {{"nine", no_argument, 0, 9}, {"ninety", no_argument, 0, 9}, {"not", no_argument, 0, 1}, {"name", no_argument, 0, 2}, {0}},
    {{"minus", no_argument, 0, -2}, {"b", required_argument, 0, 'b'}, {"other", no_argument, &flag, -1}, {0}},
    {{"number", required_argument, &flag, 5}, {"numb", required_argument, &flag, 5}, {"na", no_argument, 0, 0}, {0}},
};

struct seen {
    int result, at, rejected, index, flag;
    const char *argument;
};

struct line {
    struct seen seen[MOST_CALLS];
    char *words[MOST_WORDS + 1];
    char error[ROOM];
};
static struct line ours, theirs;

enum function { SHORT, POSIX, LONG, LONG_ONLY, FUNCTIONS };

#define CALL(prefix)                                                                                                   \
    static int prefix##call(enum function function, int count, char **words, const char *letters,                     \
                            const struct option *names, int *index) {                                                  \
        switch (function) {                                                                                            \
        case SHORT: return prefix##getopt(count, words, letters);                                                      \
        case POSIX: return prefix##posix_getopt(count, words, letters);                                                \
        case LONG: return prefix##getopt_long(count, words, letters, names, index);                                    \
        default: return prefix##getopt_long_only(count, words, letters, names, index);                                 \
        }                                                                                                              \
    }
CALL()
CALL(library_)

// What the program does between calls is the same for both.
static unsigned whims[MOST_CALLS];

static void scan(struct line *line, int (*call)(enum function, int, char **, const char *, const struct option *, int *),
                 enum function function, int count, const char *letters, const struct option *names) {
    FILE *before = stderr;
    memset(line->error, 0, ROOM);
    stderr = fmemopen(line->error, ROOM, "w");
    // Both begin with the same.
    int complains = opterr;
    char *refused[] = {"program", "-z", NULL};
    optind = opterr = 0;
    call(SHORT, 2, refused, "", NULL, NULL);
    optind = flag = 0;
    opterr = complains;
    for (int i = 0; i < MOST_CALLS; i++) {
        int index = -5;
        if (whims[i] % 32 == 1)
            optind = 1;
        if (whims[i] % 64 == 2)
            function = (function + 1) % FUNCTIONS;
        int *where = whims[i] % 8 == 3 ? NULL : &index;
        int result = call(function, count, line->words, letters, names, where);
        line->seen[i] = (struct seen){result, optind, optopt, index, flag, optarg};
    }
    fclose(stderr);
    stderr = before;
}

int main(void) {
    int options = 0, errors = 0;
    for (int round = 0; round < 4000; round++) {
        int count = chance(MOST_WORDS + 1);
        ours.words[0] = theirs.words[0] = "program";
        for (int i = 1; i < count; i++)
            ours.words[i] = theirs.words[i] = (char *)all_words[chance(sizeof all_words / sizeof *all_words)];
        ours.words[count] = theirs.words[count] = NULL;
        const char *letters = all_letters[chance(sizeof all_letters / sizeof *all_letters)];
        const struct option *names = all_names[chance(sizeof all_names / sizeof *all_names)];
        enum function function = chance(FUNCTIONS);
        opterr = chance(4) != 0;
        if (chance(8) == 0)
            setenv("POSIXLY_CORRECT", "1", 1);
        for (int i = 0; i < MOST_CALLS; i++)
            whims[i] = chance(1 << 16);
        scan(&ours, call, function, count, letters, names);
        scan(&theirs, library_call, function, count, letters, names);
        unsetenv("POSIXLY_CORRECT");
        for (int i = 0; i < MOST_CALLS; i++) {
            struct seen *a = &ours.seen[i], *b = &theirs.seen[i];
            CHECK(a->result == b->result && a->at == b->at && a->rejected == b->rejected, "%d %d %d, not %d %d %d",
                  a->result, a->at, a->rejected, b->result, b->at, b->rejected);
            CHECK(a->index == b->index && a->flag == b->flag, "%d %d, not %d %d", a->index, a->flag, b->index, b->flag);
            CHECK(a->argument == b->argument, "%s, not %s", a->argument, b->argument);
            options += a->result > 0;
        }
        CHECK(memcmp(ours.words, theirs.words, sizeof ours.words) == 0, "words are in another order");
        CHECK(strcmp(ours.error, theirs.error) == 0, "%s, not %s", ours.error, theirs.error);
        errors += ours.error[0] != 0;
    }
    printf("%d options, %d lines with errors\n", options, errors);
    return result();
}
