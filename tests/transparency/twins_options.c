// Options of one letter: bundled, with arguments that are attached, separate, missing or optional, among words that are none.

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 12 };

static void parse(const char *letters, const char *line) {
    static char text[200];
    strcpy(text, line);
    char *words[MOST + 1] = {"program"};
    int count = 1;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        words[count++] = strcmp(word, "''") == 0 ? "" : word;
    printf("%s | %s:", letters, line);
    optind = 0;
    optopt = 0;
    for (int i = 0; i < 20; i++) {
        int option = getopt(count, words, letters);
        printf(" %d(%c) %s %d %d,", option, option > 0 ? option : '-', optarg ? optarg : "(none)", optind, optopt);
        if (option == -1)
            break;
    }
    for (int i = 0; i < count; i++)
        printf(" %s", words[i]);
    printf("\n");
}

int main(void) {
    static const char *const letters[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "+:ab:", "-:ab:", "", ":", "a;:W;"};
    static const char *const lines[] = {
        "",          "-a",           "-ab x",         "-abx",          "-b",           "-ab",
        "-c",        "-cx -c x",     "x -a y -b z w", "x y -a -- -b z", "-a -- -a",     "x -- y",
        "- -a -",    "-z -a",        "-a-b x",        "-: -;",         "--a -a",       "x y z",
        "'' -a ''",  "-Wfoo -W foo", "-b -- -a",      "-aaa x -aab -a", "x -b y z -c a", "-b -a -a",
    };
    opterr = 0;
    for (int shown = 0; shown < 2; shown++, opterr = 1)
        for (unsigned i = 0; i < sizeof letters / sizeof *letters; i++)
            for (unsigned j = 0; j < sizeof lines / sizeof *lines; j++)
                parse(letters[i], lines[j]);
    fflush(stdout);
    setenv("POSIXLY_CORRECT", "1", 1);
    parse("ab:", "x -a -b y");
    parse("-ab:", "x -a -b y");
    // Begun anew elsewhere, without a reset.
    char *words[] = {"program", "-a", "x", "-b", "y", NULL};
    optind = 3;
    printf("%d\n", getopt(5, words, "ab:"));
    printf("%d %d\n", getopt(0, words, "ab:"), optind);
    return 0;
}
