/* replace PATTERN TEXT: writes standard input with every match of PATTERN replaced by TEXT.
 *
 *   c  .  [a-z]  [^a-z]     a character, any, one of a set, one outside it
 *   x*  x+  x?              as many as possible; the longest that lets the rest match
 *   ^  $                    beginning and end of the line
 *   (...)                   a group, which TEXT names as \1 to \9
 *   \n \t \d \w \s \c       newline, tab, digit, word character, blank, c itself
 *
 * In TEXT & is the whole match; \& is &. Options before PATTERN: -i ignores case, -1 replaces once a line, -n prints
 * only lines that change, -c prints only a count.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_UNITS 64
#define MAX_GROUPS 10
#define MAX_LINE 512

typedef enum { CHARACTER, ANY, SET, BEGINNING, END, OPEN, CLOSE } Sort;

typedef struct {
    Sort sort;
    char c;                     /* of CHARACTER */
    unsigned char members[32];  /* of SET: one bit a character */
    int group;                  /* of OPEN and CLOSE */
    int least, most;            /* how often; most < 0: no bound */
} Unit;

typedef struct {
    const char *start, *end;
} Span;

static Unit units[MAX_UNITS];
static int n_units;
static int n_groups = 1;
static Span groups[MAX_GROUPS];
static bool ignore_case;

static void fail(const char *message) {
    printf("replace: %s\n", message);
    exit(0);
}

static int fold(int c) {
    return ignore_case ? tolower(c) : c;
}

static void add_member(Unit *u, int c) {
    u->members[(c & 0xff) >> 3] |= (unsigned char)(1 << (c & 7));
}

static bool is_member(const Unit *u, int c) {
    return u->members[(c & 0xff) >> 3] >> (c & 7) & 1;
}

/* A class such as \d; false if the letter names none. */
static bool add_class(Unit *u, char letter) {
    if (letter != 'd' && letter != 'w' && letter != 's')
        return false;
    for (int c = 1; c < 128; c++) {
        if ((letter == 'd' && isdigit(c)) || (letter == 'w' && (isalnum(c) || c == '_')) || (letter == 's' && isspace(c)))
            add_member(u, c);
    }
    return true;
}

static char escaped(char c) {
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    default:
        return c;
    }
}

/* What stands between brackets; `p` is after the opening one. Returns what follows the closing one. */
static const char *compile_set(const char *p, Unit *u) {
    bool negated = false;
    u->sort = SET;
    if (*p == '^') {
        negated = true;
        p++;
    }
    const char *first = p;
    while (*p != '\0' && (*p != ']' || p == first)) {
        if (*p == '\\' && p[1] != '\0') {
            if (!add_class(u, p[1]))
                add_member(u, escaped(p[1]));
            p += 2;
        } else if (p[1] == '-' && p[2] != '\0' && p[2] != ']') {
            if (p[2] < p[0])
                fail("range in the wrong order");
            for (int c = p[0]; c <= p[2]; c++)
                add_member(u, c);
            p += 3;
        } else {
            add_member(u, *p++);
        }
    }
    if (*p != ']')
        fail("missing ]");
    if (negated) {
        for (int i = 0; i < 32; i++)
            u->members[i] = (unsigned char)~u->members[i];
    }
    return p + 1;
}

static void compile(const char *p) {
    int open[MAX_GROUPS], depth = 0;
    while (*p != '\0') {
        if (n_units == MAX_UNITS)
            fail("pattern too long");
        Unit *u = &units[n_units++];
        u->least = u->most = 1;
        switch (*p) {
        case '.':
            u->sort = ANY;
            p++;
            break;
        case '[':
            p = compile_set(p + 1, u);
            break;
        case '^':
            u->sort = n_units == 1 ? BEGINNING : CHARACTER;
            u->c = *p++;
            break;
        case '$':
            u->sort = p[1] == '\0' ? END : CHARACTER;
            u->c = *p++;
            break;
        case '(':
            if (n_groups == MAX_GROUPS)
                fail("too many groups");
            u->sort = OPEN;
            u->group = open[depth++] = n_groups++;
            p++;
            break;
        case ')':
            if (depth == 0)
                fail("unexpected )");
            u->sort = CLOSE;
            u->group = open[--depth];
            p++;
            break;
        case '*':
        case '+':
        case '?':
            fail("nothing to repeat");
            break;
        case '\\':
            if (p[1] == '\0')
                fail("pattern ends with a backslash");
            if (add_class(u, p[1])) {
                u->sort = SET;
            } else {
                u->sort = CHARACTER;
                u->c = escaped(p[1]);
            }
            p += 2;
            break;
        default:
            u->sort = CHARACTER;
            u->c = *p++;
        }
        if (u->sort == CHARACTER || u->sort == ANY || u->sort == SET) {
            if (*p == '*' || *p == '?')
                u->least = 0;
            if (*p == '*' || *p == '+')
                u->most = -1;
            if (*p == '*' || *p == '+' || *p == '?')
                p++;
        }
    }
    if (depth > 0)
        fail("missing )");
}

static bool fits(const Unit *u, char c) {
    if (c == '\0')
        return false;
    switch (u->sort) {
    case CHARACTER:
        return fold((unsigned char)c) == fold((unsigned char)u->c);
    case ANY:
        return true;
    case SET:
        if (ignore_case)
            return is_member(u, tolower((unsigned char)c)) || is_member(u, toupper((unsigned char)c));
        return is_member(u, c);
    default:
        return false;
    }
}

/* Matches units from `i` on at `s`; returns the end of the match or NULL. */
static const char *match(int i, const char *s, const char *line) {
    if (i == n_units)
        return s;
    const Unit *u = &units[i];
    Span before;
    const char *end;
    switch (u->sort) {
    case BEGINNING:
        return s == line ? match(i + 1, s, line) : NULL;
    case END:
        return *s == '\0' ? match(i + 1, s, line) : NULL;
    case OPEN:
        before = groups[u->group];
        groups[u->group].start = s;
        end = match(i + 1, s, line);
        if (end == NULL)
            groups[u->group] = before;
        return end;
    case CLOSE:
        before = groups[u->group];
        groups[u->group].end = s;
        end = match(i + 1, s, line);
        if (end == NULL)
            groups[u->group] = before;
        return end;
    default:
        break;
    }
    int count = 0;
    while ((u->most < 0 || count < u->most) && fits(u, s[count]))
        count++;
    for (; count >= u->least; count--) {
        end = match(i + 1, s + count, line);
        if (end != NULL)
            return end;
    }
    return NULL;
}

typedef struct {
    char bytes[4 * MAX_LINE];
    size_t length;
} Line;

static void put(Line *out, char c) {
    if (out->length + 1 < sizeof out->bytes)
        out->bytes[out->length++] = c;
    out->bytes[out->length] = '\0';
}

static void put_span(Line *out, Span span) {
    if (span.start == NULL || span.end == NULL)
        return;
    for (const char *s = span.start; s < span.end; s++)
        put(out, *s);
}

static void substitute(Line *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '&') {
            put_span(out, groups[0]);
        } else if (*text == '\\' && isdigit((unsigned char)text[1])) {
            put_span(out, groups[text[1] - '0']);
            text++;
        } else if (*text == '\\' && text[1] != '\0') {
            put(out, escaped(text[1]));
            text++;
        } else {
            put(out, *text);
        }
    }
}

/* Returns how many matches were replaced. */
static int change_line(const char *line, const char *text, bool once, Line *out) {
    int count = 0;
    const char *s = line;
    const char *last_end = NULL;
    out->length = 0;
    out->bytes[0] = '\0';
    for (;;) {
        const char *end = NULL;
        if (!once || count == 0) {
            memset(groups, 0, sizeof groups);
            end = match(0, s, line);
        }
        /* An empty match right after another one does not count. */
        if (end != NULL && !(end == s && s == last_end)) {
            groups[0] = (Span){s, end};
            substitute(out, text);
            count++;
            last_end = end;
            if (end > s) {
                s = end;
                continue;
            }
        }
        if (*s == '\0')
            break;
        put(out, *s++);
    }
    return count;
}

int main(int argc, char **argv) {
    bool once = false, quiet = false, counting = false;
    int first = 1;
    for (; first < argc && argv[first][0] == '-' && argv[first][1] != '\0'; first++) {
        switch (argv[first][1]) {
        case 'i':
            ignore_case = true;
            break;
        case '1':
            once = true;
            break;
        case 'n':
            quiet = true;
            break;
        case 'c':
            counting = true;
            break;
        default:
            fail("unknown option");
        }
    }
    if (argc - first != 2)
        fail("usage: replace [-i] [-1] [-n] [-c] PATTERN TEXT");
    compile(argv[first]);
    int total = 0;
    char line[MAX_LINE];
    static Line out;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        int count = change_line(line, argv[first + 1], once, &out);
        total += count;
        if (!counting && (!quiet || count > 0))
            puts(out.bytes);
    }
    if (counting)
        printf("%d\n", total);
    return 0;
}
