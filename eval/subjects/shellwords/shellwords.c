/*
 * Reads lines as a shell would and prints the words and operators of each.
 *
 *   shellwords [NAME=VALUE]... < SCRIPT
 *
 * Known: blanks, comments, single and double quotes, backslashes, continued lines, $NAME, ${NAME}, ${NAME:-WORD},
 * ${#NAME}, assignments at the beginning of a command, and the operators | || & && ; ( ) < > >> 2>.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t length, room;
};

struct variable {
    char *name, *value;
    struct variable *next;
};

static struct variable *variables;
static int errors;

static void text_add(struct text *t, char c)
{
    if (t->length + 1 >= t->room) {
        t->room = t->room ? t->room * 2 : 16;
        t->bytes = realloc(t->bytes, t->room);
        if (!t->bytes)
            exit(2);
    }
    t->bytes[t->length++] = c;
    t->bytes[t->length] = '\0';
}

static void text_append(struct text *t, const char *s)
{
    while (*s)
        text_add(t, *s++);
}

static void text_clear(struct text *t)
{
    t->length = 0;
    if (t->bytes)
        t->bytes[0] = '\0';
}

static char *copy(const char *s, size_t n)
{
    char *c = malloc(n + 1);
    if (!c)
        exit(2);
    memcpy(c, s, n);
    c[n] = '\0';
    return c;
}

static struct variable *find(const char *name, size_t n)
{
    for (struct variable *v = variables; v; v = v->next)
        if (strlen(v->name) == n && memcmp(v->name, name, n) == 0)
            return v;
    return NULL;
}

static void set(const char *name, size_t n, const char *value)
{
    struct variable *v = find(name, n);
    if (!v) {
        v = malloc(sizeof *v);
        if (!v)
            exit(2);
        v->name = copy(name, n);
        v->next = variables;
        variables = v;
    } else {
        free(v->value);
    }
    v->value = copy(value, strlen(value));
}

static const char *value_of(const char *name, size_t n)
{
    struct variable *v = find(name, n);
    return v ? v->value : "";
}

static size_t name_length(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_')
        return 0;
    size_t n = 1;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

static void complain(const char *what)
{
    printf("error: %s\n", what);
    errors++;
}

/* Expands what stands at `$`; returns what follows. */
static const char *expand(const char *s, struct text *out)
{
    s++;
    if (*s != '{') {
        size_t n = name_length(s);
        if (n == 0)
            text_add(out, '$');
        else
            text_append(out, value_of(s, n));
        return s + n;
    }
    s++;
    bool length = false;
    if (*s == '#') {
        length = true;
        s++;
    }
    size_t n = name_length(s);
    if (n == 0) {
        complain("bad name after ${");
        while (*s && *s != '}')
            s++;
        return *s ? s + 1 : s;
    }
    const char *value = value_of(s, n);
    s += n;
    if (length) {
        char digits[24];
        snprintf(digits, sizeof digits, "%zu", strlen(value));
        text_append(out, digits);
    } else if (s[0] == ':' && s[1] == '-') {
        s += 2;
        bool wanted = *value == '\0';
        text_append(out, value);
        /* The word may itself hold variables. */
        while (*s && *s != '}') {
            struct text inner = {0};
            const char *after;
            if (*s == '$') {
                after = expand(s, &inner);
            } else {
                text_add(&inner, *s);
                after = s + 1;
            }
            if (wanted && inner.bytes)
                text_append(out, inner.bytes);
            free(inner.bytes);
            s = after;
        }
    } else {
        text_append(out, value);
    }
    if (*s != '}') {
        complain("missing }");
        return s;
    }
    return s + 1;
}

static const char *const operators[] = {"||", "&&", ">>", "2>", "|", "&", ";", "(", ")", "<", ">"};

static const char *operator_at(const char *s, bool at_start)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        const char *o = operators[i];
        /* A digit belongs to an operator only where a word could begin. */
        if (isdigit((unsigned char)o[0]) && !at_start)
            continue;
        if (strncmp(s, o, strlen(o)) == 0)
            return o;
    }
    return NULL;
}

static bool ends_command(const char *o)
{
    return strchr("|&;()", o[0]) != NULL;
}

/* One word with all its quotes; returns what follows it. */
static const char *word(const char *s, struct text *out, bool *quoted)
{
    *quoted = false;
    const char *start = s;
    while (*s && !isspace((unsigned char)*s) && !operator_at(s, s == start)) {
        if (*s == '\\') {
            s++;
            if (*s) {
                text_add(out, *s++);
                *quoted = true;
            }
        } else if (*s == '\'') {
            *quoted = true;
            s++;
            while (*s && *s != '\'')
                text_add(out, *s++);
            if (!*s) {
                complain("missing '");
                break;
            }
            s++;
        } else if (*s == '"') {
            *quoted = true;
            s++;
            while (*s && *s != '"') {
                if (*s == '\\' && s[1] && strchr("\\\"$", s[1])) {
                    text_add(out, s[1]);
                    s += 2;
                } else if (*s == '$') {
                    s = expand(s, out);
                } else {
                    text_add(out, *s++);
                }
            }
            if (!*s) {
                complain("missing \"");
                break;
            }
            s++;
        } else if (*s == '$') {
            s = expand(s, out);
        } else {
            text_add(out, *s++);
        }
    }
    return s;
}

static void split(const char *s)
{
    struct text out = {0};
    bool command_start = true;
    int depth = 0, words = 0;
    for (;;) {
        while (isspace((unsigned char)*s))
            s++;
        if (!*s || *s == '#')
            break;
        const char *o = operator_at(s, true);
        if (o) {
            if (o[0] == '(')
                depth++;
            if (o[0] == ')' && depth-- == 0) {
                complain("unexpected )");
                depth = 0;
            }
            printf("  op %s\n", o);
            s += strlen(o);
            if (ends_command(o))
                command_start = true;
            continue;
        }
        size_t n = name_length(s);
        bool assignment = command_start && n > 0 && s[n] == '=';
        const char *name = s;
        if (assignment)
            s += n + 1;
        bool quoted;
        text_clear(&out);
        s = word(s, &out, &quoted);
        const char *value = out.bytes ? out.bytes : "";
        if (assignment) {
            set(name, n, value);
            printf("  set %.*s [%s]\n", (int)n, name, value);
            continue;
        }
        /* A word that expands to nothing vanishes unless it was quoted. */
        if (out.length == 0 && !quoted)
            continue;
        printf("  %s [%s]\n", command_start ? "cmd" : "arg", value);
        command_start = false;
        words++;
    }
    if (depth > 0)
        complain("missing )");
    printf("  = %d\n", words);
    free(out.bytes);
}

static bool continued(const struct text *line)
{
    size_t n = 0;
    while (n < line->length && line->bytes[line->length - 1 - n] == '\\')
        n++;
    return n % 2 == 1;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t n = name_length(argv[i]);
        if (n == 0 || argv[i][n] != '=') {
            printf("not an assignment: %s\n", argv[i]);
            continue;
        }
        set(argv[i], n, argv[i] + n + 1);
    }
    struct text line = {0};
    int number = 0, c;
    do {
        c = getchar();
        if (c == '\n' && continued(&line)) {
            line.bytes[--line.length] = '\0';
        } else if (c == '\n' || (c == EOF && line.length > 0)) {
            printf("%d:\n", ++number);
            split(line.bytes ? line.bytes : "");
            text_clear(&line);
        } else if (c != EOF) {
            text_add(&line, (char)c);
        }
    } while (c != EOF);
    printf("%d lines, %d errors\n", number, errors);
    free(line.bytes);
    while (variables) {
        struct variable *v = variables;
        variables = v->next;
        free(v->name);
        free(v->value);
        free(v);
    }
    return 0;
}
