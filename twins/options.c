/* <unistd.h> and <getopt.h>: options of the command line. */

#define _GNU_SOURCE
#include "twin.h"

#include <getopt.h>
#include <libintl.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>

HIDDEN int INNER(strcmp)(const char *, const char *);
HIDDEN char *INNER(strchr)(const char *, int);

/* What becomes of words that are no options. */
enum order { PERMUTED, ENDING, RETURNED };

/* Between calls. What the program sees of it is copied to and from its own variables, and the rest of the library's is its own. */
struct scan {
    int at, complains, rejected;
    char *argument;
    int is_begun;
    enum order order;
    /* What follows in a word of several letters. */
    char *rest;
    /* Words that were skipped: from the first one to the one behind the last. */
    int skipped, skipped_end;
};

/* Not hidden: one for the executable and all its libraries, as the library has it. */
__attribute__((weak)) struct scan __faultline_options;

/* A call of one of the functions. */
struct wanted {
    int count;
    char **words;
    const char *letters;
    const struct option *names;
    int *index;
    /* One dash is enough before a name. */
    int is_short_enough;
    int complains;
};

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...) {
    const char *translated = dcgettext("libc", format, LC_MESSAGES);
    va_list arguments;
    va_start(arguments, format);
    if (fwide(stderr, 0) > 0) {
        char *text;
        if (vasprintf(&text, translated, arguments) >= 0) {
            fwprintf(stderr, L"%s", text);
            free(text);
        }
    } else {
        vfprintf(stderr, translated, arguments);
    }
    va_end(arguments);
}

static void reverse(char **words, int from, int to) {
    for (; from < --to; from++) {
        char *word = words[from];
        words[from] = words[to];
        words[to] = word;
    }
}

/* Puts the words that were skipped behind the options that came after them. */
static void put_behind(struct scan *scan, char **words) {
    reverse(words, scan->skipped, scan->skipped_end);
    reverse(words, scan->skipped_end, scan->at);
    reverse(words, scan->skipped, scan->at);
    scan->skipped += scan->at - scan->skipped_end;
    scan->skipped_end = scan->at;
}

static int is_option(const char *word) {
    return word[0] == '-' && word[1];
}

static size_t name_length(const char *text) {
    size_t length = 0;
    while (text[length] && text[length] != '=')
        length++;
    return length;
}

static int begins_with(const char *name, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (name[i] != text[i])
            return 0;
    return 1;
}

/* Whether it makes a difference which of two names was meant. */
static int differ(const struct wanted *wanted, const struct option *a, const struct option *b) {
    return wanted->is_short_enough || a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

static void list_possible(const struct wanted *wanted, const struct option *first, const char *text, const char *dashes) {
    size_t length = name_length(text);
    flockfile(stderr);
    complain("%s: option '%s%s' is ambiguous; possibilities:", wanted->words[0], dashes, text);
    for (const struct option *name = first; name->name; name++)
        if (name == first || (begins_with(name->name, text, length) && differ(wanted, first, name)))
            complain(" '%s%s'", dashes, name->name);
    complain("\n");
    funlockfile(stderr);
}

enum { NO_LONG_OPTION = -1 };

/* The rest of the scan is a name. */
static int long_option(struct scan *scan, const struct wanted *wanted, const char *dashes) {
    char *text = scan->rest;
    size_t length = name_length(text);
    const struct option *found = NULL;
    int is_ambiguous = 0;
    for (const struct option *name = wanted->names; name->name; name++)
        if (begins_with(name->name, text, length) && !name->name[length]) {
            found = name;
            break;
        }
    for (const struct option *name = found ? NULL : wanted->names; name && name->name; name++) {
        if (!begins_with(name->name, text, length))
            continue;
        if (!found)
            found = name;
        else if (differ(wanted, found, name))
            is_ambiguous = 1;
    }
    if (is_ambiguous) {
        if (wanted->complains)
            list_possible(wanted, found, text, dashes);
        scan->rest += INNER(strlen)(text);
        scan->at++;
        scan->rejected = 0;
        return '?';
    }
    if (!found) {
        int is_letter = wanted->is_short_enough && wanted->words[scan->at][1] != '-' &&
                        INNER(strchr)(wanted->letters, *text) != NULL;
        if (is_letter)
            return NO_LONG_OPTION;
        if (wanted->complains)
            complain("%s: unrecognized option '%s%s'\n", wanted->words[0], dashes, text);
        scan->rest = NULL;
        scan->at++;
        scan->rejected = 0;
        return '?';
    }
    scan->at++;
    scan->rest = NULL;
    if (text[length]) {
        if (!found->has_arg) {
            if (wanted->complains)
                complain("%s: option '%s%s' doesn't allow an argument\n", wanted->words[0], dashes, found->name);
            scan->rejected = found->val;
            return '?';
        }
        scan->argument = text + length + 1;
    } else if (found->has_arg == required_argument) {
        if (scan->at >= wanted->count) {
            if (wanted->complains)
                complain("%s: option '%s%s' requires an argument\n", wanted->words[0], dashes, found->name);
            scan->rejected = found->val;
            return wanted->letters[0] == ':' ? ':' : '?';
        }
        scan->argument = wanted->words[scan->at++];
    }
    if (wanted->index)
        *wanted->index = found - wanted->names;
    if (!found->flag)
        return found->val;
    *found->flag = found->val;
    return 0;
}

static int lacks_argument(struct scan *scan, const struct wanted *wanted, char letter) {
    if (wanted->complains)
        complain("%s: option requires an argument -- '%c'\n", wanted->words[0], letter);
    scan->rejected = letter;
    return wanted->letters[0] == ':' ? ':' : '?';
}

static int letter_option(struct scan *scan, const struct wanted *wanted) {
    char letter = *scan->rest++;
    const char *known = INNER(strchr)(wanted->letters, letter);
    if (!*scan->rest)
        scan->at++;
    if (!known || letter == ':' || letter == ';') {
        if (wanted->complains)
            complain("%s: invalid option -- '%c'\n", wanted->words[0], letter);
        scan->rejected = letter;
        return '?';
    }
    if (known[0] == 'W' && known[1] == ';' && wanted->names) {
        /* A name follows, in this word or the next, which is not gone past here. */
        if (!*scan->rest && scan->at == wanted->count)
            return lacks_argument(scan, wanted, letter);
        if (!*scan->rest)
            scan->rest = wanted->words[scan->at];
        scan->argument = NULL;
        struct wanted name = *wanted;
        name.is_short_enough = 0;
        return long_option(scan, &name, "-W ");
    }
    if (known[1] != ':')
        return letter;
    int result = letter;
    if (*scan->rest) {
        scan->argument = scan->rest;
        scan->at++;
    } else if (known[2] == ':') {
        scan->argument = NULL;
    } else if (scan->at == wanted->count) {
        result = lacks_argument(scan, wanted, letter);
    } else {
        scan->argument = wanted->words[scan->at++];
    }
    scan->rest = NULL;
    return result;
}

/* Goes on to the next option; gives 0 if there is one, and otherwise what is to be returned. */
static int next_word(struct scan *scan, const struct wanted *wanted) {
    char **words = wanted->words;
    /* The program may have gone back. */
    if (scan->skipped_end > scan->at)
        scan->skipped_end = scan->at;
    if (scan->skipped > scan->at)
        scan->skipped = scan->at;
    if (scan->order == PERMUTED) {
        if (scan->skipped != scan->skipped_end && scan->skipped_end != scan->at)
            put_behind(scan, words);
        else if (scan->skipped_end != scan->at)
            scan->skipped = scan->at;
        while (scan->at < wanted->count && !is_option(words[scan->at]))
            scan->at++;
        scan->skipped_end = scan->at;
    }
    if (scan->at != wanted->count && INNER(strcmp)(words[scan->at], "--") == 0) {
        scan->at++;
        if (scan->skipped != scan->skipped_end && scan->skipped_end != scan->at)
            put_behind(scan, words);
        else if (scan->skipped == scan->skipped_end)
            scan->skipped = scan->at;
        scan->skipped_end = scan->at = wanted->count;
    }
    if (scan->at == wanted->count) {
        if (scan->skipped != scan->skipped_end)
            scan->at = scan->skipped;
        return -1;
    }
    if (!is_option(words[scan->at])) {
        if (scan->order == ENDING)
            return -1;
        scan->argument = words[scan->at++];
        return 1;
    }
    return 0;
}

static void begin(struct scan *scan, const char *letters, enum order usual) {
    if (scan->at == 0)
        scan->at = 1;
    scan->skipped = scan->skipped_end = scan->at;
    scan->rest = NULL;
    if (letters[0] == '-')
        scan->order = RETURNED;
    else if (letters[0] == '+' || usual == ENDING || getenv("POSIXLY_CORRECT"))
        scan->order = ENDING;
    else
        scan->order = PERMUTED;
    scan->is_begun = 1;
}

static int next_option(struct scan *scan, struct wanted *wanted, enum order usual) {
    if (wanted->count < 1)
        return -1;
    scan->argument = NULL;
    if (scan->at == 0 || !scan->is_begun)
        begin(scan, wanted->letters, usual);
    if (wanted->letters[0] == '-' || wanted->letters[0] == '+')
        wanted->letters++;
    wanted->complains = scan->complains && wanted->letters[0] != ':';
    if (!scan->rest || !*scan->rest) {
        int result = next_word(scan, wanted);
        if (result != 0)
            return result;
        char *word = wanted->words[scan->at];
        if (wanted->names && word[1] == '-') {
            scan->rest = word + 2;
            return long_option(scan, wanted, "--");
        }
        scan->rest = word + 1;
        if (wanted->names && wanted->is_short_enough && (word[2] || !INNER(strchr)(wanted->letters, word[1]))) {
            int code = long_option(scan, wanted, "-");
            if (code != NO_LONG_OPTION)
                return code;
            /* An option may have this code; then the library goes on so, too. */
            scan->rest = wanted->words[scan->at] + 1;
        }
    }
    return letter_option(scan, wanted);
}

static int option(struct wanted wanted, enum order usual) {
    struct scan *scan = &__faultline_options;
    scan->at = optind;
    scan->complains = opterr;
    int result = next_option(scan, &wanted, usual);
    optind = scan->at;
    optarg = scan->argument;
    optopt = scan->rejected;
    return result;
}

int TWIN(getopt)(int count, char *const *words, const char *letters) {
    return option((struct wanted){.count = count, .words = (char **)words, .letters = letters}, PERMUTED);
}

int TWIN(__posix_getopt)(int count, char *const *words, const char *letters) {
    return option((struct wanted){.count = count, .words = (char **)words, .letters = letters}, ENDING);
}

int TWIN(getopt_long)(int count, char *const *words, const char *letters, const struct option *names, int *index) {
    return option((struct wanted){count, (char **)words, letters, names, index, 0, 0}, PERMUTED);
}

int TWIN(getopt_long_only)(int count, char *const *words, const char *letters, const struct option *names, int *index) {
    return option((struct wanted){count, (char **)words, letters, names, index, 1, 0}, PERMUTED);
}
