/* Reads JSON and prints it again: json [-c | -s | -q PATH] < TEXT
 *
 *   -c   compact      -s   statistics      -q   the value at PATH, such as .a.b[2] or ["x y"]
 *
 * Otherwise it is indented by two blanks, members in the order of their names. Errors tell line and column.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { J_NULL, J_FALSE, J_TRUE, J_NUMBER, J_STRING, J_ARRAY, J_OBJECT, SORTS } Sort;

typedef struct Value {
    Sort sort;
    char *text;            /* of a string, decoded; of a number as it was written */
    struct Value **kids;
    char **names;          /* of an object's kids */
    size_t n, room;
} Value;

static const char *text, *at;
static jmp_buf trouble;
static const char *message;
static int depth;

#define MAX_DEPTH 64

static void fail(const char *what)
{
    message = what;
    longjmp(trouble, 1);
}

/* All memory is kept in one list, since an error leaves values half made. */
struct block {
    struct block *next;
    size_t length; /* also keeps what follows aligned */
};

static struct block *blocks;

static void *allocate(size_t n)
{
    struct block *b = calloc(1, sizeof *b + n);
    if (!b)
        exit(2);
    b->next = blocks;
    b->length = n;
    blocks = b;
    return b + 1;
}

static void free_all(void)
{
    while (blocks) {
        struct block *b = blocks;
        blocks = b->next;
        free(b);
    }
}

/* Twice as much, with what was there. */
static void *enlarge(void *old, size_t n, size_t size)
{
    void *p = allocate(n * size);
    if (old)
        memcpy(p, old, n / 2 * size);
    return p;
}

static Value *new_value(Sort sort)
{
    Value *v = allocate(sizeof *v);
    v->sort = sort;
    return v;
}

static void grow(Value *v)
{
    if (v->n < v->room)
        return;
    v->room = v->room ? 2 * v->room : 4;
    v->kids = enlarge(v->kids, v->room, sizeof *v->kids);
    if (v->sort == J_OBJECT)
        v->names = enlarge(v->names, v->room, sizeof *v->names);
}

/* Puts a member where its name belongs; a name that is there already is given the new value. */
static void add_member(Value *object, char *name, Value *kid)
{
    size_t low = 0, high = object->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(object->names[middle], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < object->n && strcmp(object->names[low], name) == 0) {
        object->kids[low] = kid;
        return;
    }
    grow(object);
    memmove(object->kids + low + 1, object->kids + low, (object->n - low) * sizeof *object->kids);
    memmove(object->names + low + 1, object->names + low, (object->n - low) * sizeof *object->names);
    object->kids[low] = kid;
    object->names[low] = name;
    object->n++;
}

static void blanks(void)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
}

static int hex4(void)
{
    int code = 0;
    for (int i = 0; i < 4; i++, at++) {
        if (!isxdigit((unsigned char)*at))
            fail("four hexadecimal digits expected");
        int c = tolower((unsigned char)*at);
        code = code * 16 + (isdigit(c) ? c - '0' : c - 'a' + 10);
    }
    return code;
}

static char *put_utf8(char *out, int code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xc0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *out++ = (char)(0xe0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    } else {
        *out++ = (char)(0xf0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3f));
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    }
    return out;
}

/* After `\u`; two escapes may make one character. */
static int escaped_code(void)
{
    int code = hex4();
    if (code >= 0xdc00 && code < 0xe000)
        fail("second half of a pair without the first");
    if (code < 0xd800 || code >= 0xe000)
        return code;
    if (at[0] != '\\' || at[1] != 'u')
        fail("first half of a pair without the second");
    at += 2;
    int second = hex4();
    if (second < 0xdc00 || second >= 0xe000)
        fail("first half of a pair without the second");
    return 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
}

static char *string(void)
{
    /* Decoded, it is never longer than written. */
    const char *end = at + 1;
    while (*end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    char *decoded = allocate((size_t)(end - at) + 1), *out = decoded;
    at++;
    while (*at != '"') {
        if ((unsigned char)*at < 0x20)
            fail(*at ? "control character in a string" : "string does not end");
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        at++;
        static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
        const char *known = *at ? strchr(letters, *at) : NULL;
        if (known) {
            *out++ = meanings[known - letters];
            at++;
        } else if (*at == 'u') {
            at++;
            int code = escaped_code();
            if (code == 0)
                fail("a string cannot hold a zero");
            out = put_utf8(out, code);
        } else {
            fail("unknown escape");
        }
    }
    at++;
    *out = '\0';
    return decoded;
}

static Value *number(void)
{
    const char *start = at;
    if (*at == '-')
        at++;
    if (*at == '0') {
        at++;
    } else {
        if (!isdigit((unsigned char)*at))
            fail("digit expected");
        while (isdigit((unsigned char)*at))
            at++;
    }
    if (*at == '.') {
        at++;
        if (!isdigit((unsigned char)*at))
            fail("digit expected after the point");
        while (isdigit((unsigned char)*at))
            at++;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-')
            at++;
        if (!isdigit((unsigned char)*at))
            fail("digit expected in the exponent");
        while (isdigit((unsigned char)*at))
            at++;
    }
    Value *v = new_value(J_NUMBER);
    v->text = allocate((size_t)(at - start) + 1);
    memcpy(v->text, start, (size_t)(at - start));
    return v;
}

static Value *value(void);

static Value *array(void)
{
    Value *v = new_value(J_ARRAY);
    at++;
    blanks();
    if (*at == ']') {
        at++;
        return v;
    }
    for (;;) {
        Value *kid = value();
        grow(v);
        v->kids[v->n++] = kid;
        blanks();
        if (*at == ']')
            break;
        if (*at != ',')
            fail("comma or ] expected");
        at++;
    }
    at++;
    return v;
}

static Value *object(void)
{
    Value *v = new_value(J_OBJECT);
    at++;
    blanks();
    if (*at == '}') {
        at++;
        return v;
    }
    for (;;) {
        blanks();
        if (*at != '"')
            fail("name expected");
        char *name = string();
        blanks();
        if (*at != ':')
            fail("colon expected");
        at++;
        add_member(v, name, value());
        blanks();
        if (*at == '}')
            break;
        if (*at != ',')
            fail("comma or } expected");
        at++;
    }
    at++;
    return v;
}

static Value *word(const char *letters, Sort sort)
{
    size_t n = strlen(letters);
    if (strncmp(at, letters, n) != 0 || isalnum((unsigned char)at[n]))
        fail("unknown word");
    at += n;
    return new_value(sort);
}

static Value *value(void)
{
    Value *v;
    blanks();
    if (++depth > MAX_DEPTH)
        fail("nested too deeply");
    switch (*at) {
    case '{':
        v = object();
        break;
    case '[':
        v = array();
        break;
    case '"':
        v = new_value(J_STRING);
        v->text = string();
        break;
    case 't':
        v = word("true", J_TRUE);
        break;
    case 'f':
        v = word("false", J_FALSE);
        break;
    case 'n':
        v = word("null", J_NULL);
        break;
    default:
        if (*at != '-' && !isdigit((unsigned char)*at))
            fail(*at ? "value expected" : "unexpected end");
        v = number();
    }
    depth--;
    return v;
}

static void print_string(const char *s)
{
    putchar('"');
    for (; *s; s++) {
        static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
        const char *known = strchr(plain, *s);
        if (known)
            printf("\\%c", letters[known - plain]);
        else if ((unsigned char)*s < 0x20)
            printf("\\u%04x", *s);
        else
            putchar(*s);
    }
    putchar('"');
}

static void newline(int indent)
{
    if (indent < 0)
        return;
    putchar('\n');
    for (int i = 0; i < indent; i++)
        fputs("  ", stdout);
}

/* indent < 0: compact. */
static void print(const Value *v, int indent)
{
    static const char *const words[] = {"null", "false", "true"};
    int inner = indent < 0 ? indent : indent + 1;
    switch (v->sort) {
    case J_NUMBER:
        fputs(v->text, stdout);
        break;
    case J_STRING:
        print_string(v->text);
        break;
    case J_ARRAY:
    case J_OBJECT:
        putchar(v->sort == J_ARRAY ? '[' : '{');
        for (size_t i = 0; i < v->n; i++) {
            if (i > 0)
                putchar(',');
            newline(inner);
            if (v->sort == J_OBJECT) {
                print_string(v->names[i]);
                fputs(indent < 0 ? ":" : ": ", stdout);
            }
            print(v->kids[i], inner);
        }
        if (v->n > 0)
            newline(indent);
        putchar(v->sort == J_ARRAY ? ']' : '}');
        break;
    default:
        fputs(words[v->sort], stdout);
    }
}

struct statistics {
    size_t counts[SORTS];
    int deepest;
    size_t longest; /* string */
};

static void count(const Value *v, int level, struct statistics *s)
{
    s->counts[v->sort]++;
    if (level > s->deepest)
        s->deepest = level;
    if (v->sort == J_STRING && strlen(v->text) > s->longest)
        s->longest = strlen(v->text);
    for (size_t i = 0; i < v->n; i++)
        count(v->kids[i], level + 1, s);
}

static void print_statistics(const Value *v)
{
    static const char *const names[SORTS] = {"null", "false", "true", "numbers", "strings", "arrays", "objects"};
    struct statistics s = {0};
    count(v, 1, &s);
    for (int i = 0; i < SORTS; i++)
        if (s.counts[i] > 0)
            printf("%s %zu\n", names[i], s.counts[i]);
    printf("depth %d, longest string %zu\n", s.deepest, s.longest);
}

static const Value *member(const Value *v, const char *name, size_t n)
{
    if (v->sort != J_OBJECT)
        return NULL;
    for (size_t i = 0; i < v->n; i++)
        if (strlen(v->names[i]) == n && strncmp(v->names[i], name, n) == 0)
            return v->kids[i];
    return NULL;
}

/* A negative index counts from the end. */
static const Value *find(const Value *v, const char *path)
{
    while (v && *path) {
        if (*path == '.') {
            size_t n = strcspn(++path, ".[");
            v = member(v, path, n);
            path += n;
        } else if (path[0] == '[' && path[1] == '"') {
            const char *end = strchr(path + 2, '"');
            if (!end || end[1] != ']')
                return NULL;
            v = member(v, path + 2, (size_t)(end - path - 2));
            path = end + 2;
        } else if (*path == '[') {
            char *end;
            long i = strtol(path + 1, &end, 10);
            if (*end != ']' || v->sort != J_ARRAY)
                return NULL;
            if (i < 0)
                i += (long)v->n;
            v = i >= 0 && (size_t)i < v->n ? v->kids[i] : NULL;
            path = end + 1;
        } else {
            return NULL;
        }
    }
    return v;
}

static char *read_all(void)
{
    size_t n = 0, room = 1024;
    char *all = allocate(room);
    int c;
    while ((c = getchar()) != EOF) {
        if (n + 1 == room) {
            room *= 2;
            all = enlarge(all, room, 1);
        }
        all[n++] = (char)c;
    }
    all[n] = '\0';
    return all;
}

static void print_trouble(void)
{
    int line = 1, column = 1;
    for (const char *s = text; s < at; s++) {
        column++;
        if (*s == '\n') {
            line++;
            column = 1;
        }
    }
    printf("%d:%d: %s\n", line, column, message);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    text = at = read_all();
    if (setjmp(trouble) == 0) {
        Value *v = value();
        blanks();
        if (*at)
            fail("text after the value");
        if (strcmp(mode, "-q") == 0 && argc > 2) {
            const Value *found = find(v, argv[2]);
            if (found)
                print(found, 0);
            else
                printf("nothing");
            putchar('\n');
        } else if (strcmp(mode, "-s") == 0) {
            print_statistics(v);
        } else {
            print(v, strcmp(mode, "-c") == 0 ? -1 : 0);
            putchar('\n');
        }
    } else {
        print_trouble();
    }
    free_all();
    return 0;
}
