/* <unistd.h>: options of one letter. Those of <getopt.h> with long names are the library's; a program that uses both in
 * turn, in the middle of one word, would be at odds with itself. */

#define _GNU_SOURCE
#include "twin.h"

#include <libintl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What to do with words that are no options. */
enum order { PERMUTE, STOP_THERE, GIVE_THEM };

struct options {
    /* The letters of the word that is being read. */
    char *next;
    enum order order;
    int is_initialized;
    /* Words that are no options and have been skipped: from the first to before the last. */
    int first_skipped, last_skipped;
};

/* Not hidden: one for the executable and all its libraries, as the library has it. */
__attribute__((weak)) struct options __faultline_options;

static void reverse(char **words, int from, int to) {
    for (to--; from < to; from++, to--) {
        char *word = words[from];
        words[from] = words[to];
        words[to] = word;
    }
}

/* Puts the words skipped behind the options that came after them. Each keep their order. */
static void exchange(char **words, struct options *it) {
    reverse(words, it->first_skipped, it->last_skipped);
    reverse(words, it->last_skipped, optind);
    reverse(words, it->first_skipped, optind);
    it->first_skipped += optind - it->last_skipped;
    it->last_skipped = optind;
}

static int is_no_option(const char *word) {
    return word[0] != '-' || !word[1];
}

static const char *initialize(const char *letters, struct options *it) {
    if (optind == 0)
        optind = 1;
    it->first_skipped = it->last_skipped = optind;
    it->next = NULL;
    it->is_initialized = 1;
    it->order = PERMUTE;
    if (*letters == '-') {
        it->order = GIVE_THEM;
        return letters + 1;
    }
    if (*letters == '+') {
        it->order = STOP_THERE;
        return letters + 1;
    }
    if (getenv("POSIXLY_CORRECT"))
        it->order = STOP_THERE;
    return letters;
}

static void complain(const char *format, char **words, char letter) {
    fprintf(stderr, dcgettext("libc", format, LC_MESSAGES), words[0], letter);
}

/* Goes to the next word with options. Gives what is to be returned if there is none, 0 otherwise. */
static int next_word(int count, char **words, struct options *it) {
    if (it->last_skipped > optind)
        it->last_skipped = optind;
    if (it->first_skipped > optind)
        it->first_skipped = optind;
    if (it->order == PERMUTE) {
        if (it->first_skipped != it->last_skipped && it->last_skipped != optind)
            exchange(words, it);
        else if (it->last_skipped != optind)
            it->first_skipped = optind;
        while (optind < count && is_no_option(words[optind]))
            optind++;
        it->last_skipped = optind;
    }
    if (optind != count && words[optind][0] == '-' && words[optind][1] == '-' && !words[optind][2]) {
        optind++;
        if (it->first_skipped != it->last_skipped && it->last_skipped != optind)
            exchange(words, it);
        else if (it->first_skipped == it->last_skipped)
            it->first_skipped = optind;
        it->last_skipped = optind = count;
    }
    if (optind == count) {
        if (it->first_skipped != it->last_skipped)
            optind = it->first_skipped;
        return -1;
    }
    if (is_no_option(words[optind])) {
        if (it->order == STOP_THERE)
            return -1;
        optarg = words[optind++];
        return 1;
    }
    it->next = words[optind] + 1;
    return 0;
}

int TWIN(getopt)(int count, char *const *given, const char *letters) {
    struct options *it = &__faultline_options;
    char **words = (char **)given;
    int complains = opterr;
    if (count < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !it->is_initialized)
        letters = initialize(letters, it);
    else if (*letters == '-' || *letters == '+')
        letters++;
    if (*letters == ':')
        complains = 0;
    if (!it->next || !*it->next) {
        int end = next_word(count, words, it);
        if (end)
            return end;
    }
    char letter = *it->next++;
    const char *found = letters;
    while (*found && *found != letter)
        found++;
    if (!*it->next)
        optind++;
    if (!*found || letter == ':' || letter == ';') {
        if (complains)
            complain("%s: invalid option -- '%c'\n", words, letter);
        optopt = letter;
        return '?';
    }
    if (found[1] != ':')
        return letter;
    if (*it->next) {
        optarg = it->next;
        optind++;
    } else if (found[2] == ':') {
        optarg = NULL;
    } else if (optind == count) {
        if (complains)
            complain("%s: option requires an argument -- '%c'\n", words, letter);
        optopt = letter;
        letter = *letters == ':' ? ':' : '?';
    } else {
        optarg = words[optind++];
    }
    it->next = NULL;
    return letter;
}
