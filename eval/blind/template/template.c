/* A small template engine: template [-s] [NAME=VALUE...] < TEMPLATE
 *
 *   -s   strict: a variable that is not known is an error
 *
 * {{ EXPR }}  {# comment #}   {%- no blanks before, none after -%}
 * {% if EXPR %} {% elif EXPR %} {% else %} {% end %}
 * {% for NAME in EXPR %} {% else %} {% end %}     with loop.index, loop.last
 * {% set NAME = EXPR %}
 * {% macro NAME A, B %} {% end %}   {% call NAME EXPR, EXPR %}
 *
 * EXPR: "text" 12 name (EXPR) [EXPR, EXPR]   or and not == != < > in ~   | FILTER ARGUMENT
 */
#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 40

typedef struct {
    char *text;
    size_t length;
} Buffer;

/* Values are shared: each place that has one counts as a user. */
typedef struct Value {
    int users;
    bool is_list;
    char *text;
    struct Value **items;
    int n_items;
} Value;

typedef struct Binding {
    char *name;
    Value *value;
    struct Binding *next;
} Binding;

typedef struct Scope {
    Binding *bindings;
    struct Scope *outer;
} Scope;

typedef enum { E_TEXT, E_NAME, E_LIST, E_NOT, E_BINARY, E_FILTER, /* expressions */
               N_TEXT, N_PRINT, N_IF, N_FOR, N_SET, N_MACRO, N_CALL } Kind;

typedef struct Node {
    Kind kind;
    int line;
    char *text;          /* the text, name, operator or filter */
    struct Node *expr;   /* the condition, list, value, parameters or arguments; the left operand */
    struct Node *right;  /* the right operand, or the filter's argument */
    struct Node *body, *other;
    struct Node *next;   /* in a block or a list */
} Node;

typedef struct {
    const char *start, *at; /* the whole template, and what is next */
    bool trim;              /* the text that follows loses its blanks in front */
    char token[100];        /* in a tag */
    char kind;              /* of the token: n(ame), t(ext), o(perator), e(nd of the tag) */
} Parser;

static Scope *scope;
static Node *template, *macros; /* macros are linked by `other` */
static int errors, depth;
static bool strict;

static void *get_memory(void *old, size_t size) {
    void *p = realloc(old, size);
    if (p == NULL)
        exit(2);
    return p;
}

static char *copy_part(const char *text, size_t length) {
    char *copy = get_memory(NULL, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void append(Buffer *b, const char *text, size_t length) {
    b->text = get_memory(b->text, b->length + length + 1);
    memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
}

static void complain(int line, const char *what, const char *name) {
    printf("line %d: %s %s\n", line, what, name);
    errors++;
}

static Value *new_value(const char *text) { /* NULL: a list */
    Value *v = get_memory(NULL, sizeof *v);
    *v = (Value){.users = 1, .is_list = text == NULL};
    v->text = text != NULL ? copy_part(text, strlen(text)) : NULL;
    return v;
}

static Value *new_number(long n) {
    char digits[24];
    snprintf(digits, sizeof digits, "%ld", n);
    return new_value(digits);
}

static Value *use(Value *v) {
    v->users++;
    return v;
}

static void drop(Value *v) {
    assert(v->users > 0);
    if (--v->users > 0)
        return;
    for (int i = 0; i < v->n_items; i++)
        drop(v->items[i]);
    free(v->items);
    free(v->text);
    free(v);
}

/* The list becomes a user of the item in place of the caller. */
static void add_item(Value *list, Value *item) {
    list->items = get_memory(list->items, (size_t)(list->n_items + 1) * sizeof *list->items);
    list->items[list->n_items++] = item;
}

static bool is_number(const Value *v, long *n) {
    char *end;
    *n = strtol(v->text, &end, 10);
    return end != v->text && *end == '\0';
}

static bool is_true(const Value *v) {
    return v->is_list ? v->n_items > 0 : v->text[0] != '\0' && strcmp(v->text, "0") != 0;
}

/* Lists come after texts, shorter ones first. */
static int compare(const Value *a, const Value *b) {
    long x, y;
    if (a->is_list || b->is_list)
        return a->is_list != b->is_list ? a->is_list - b->is_list : a->n_items - b->n_items;
    if (is_number(a, &x) && is_number(b, &y))
        return (x > y) - (x < y);
    return strcmp(a->text, b->text);
}

static bool contains(const Value *whole, const Value *part) {
    if (!whole->is_list)
        return !part->is_list && strstr(whole->text, part->text) != NULL;
    for (int i = 0; i < whole->n_items; i++)
        if (compare(whole->items[i], part) == 0)
            return true;
    return false;
}

static void append_value(Buffer *b, const Value *v, const char *between) {
    if (!v->is_list)
        append(b, v->text, strlen(v->text));
    for (int i = 0; i < v->n_items; i++) {
        if (i > 0)
            append(b, between, strlen(between));
        append_value(b, v->items[i], between);
    }
}

/* The texts in a row. */
static Value *join(const Value *v, const Value *w, const char *between) {
    Buffer b = {0};
    append(&b, "", 0);
    append_value(&b, v, between);
    if (w != NULL)
        append_value(&b, w, between);
    Value *result = new_value(b.text);
    free(b.text);
    return result;
}

static Binding *look_up(const char *name) {
    for (Scope *s = scope; s != NULL; s = s->outer)
        for (Binding *b = s->bindings; b != NULL; b = b->next)
            if (strcmp(b->name, name) == 0)
                return b;
    return NULL;
}

/* In the innermost scope; takes over the value. */
static void bind(const char *name, Value *value) {
    for (Binding *b = scope->bindings; b != NULL; b = b->next) {
        if (strcmp(b->name, name) == 0) {
            drop(b->value);
            b->value = value;
            return;
        }
    }
    Binding *b = get_memory(NULL, sizeof *b);
    *b = (Binding){copy_part(name, strlen(name)), value, scope->bindings};
    scope->bindings = b;
}

static void open_scope(void) {
    Scope *s = get_memory(NULL, sizeof *s);
    *s = (Scope){NULL, scope};
    scope = s;
}

static void close_scope(void) {
    Scope *s = scope;
    scope = s->outer;
    while (s->bindings != NULL) {
        Binding *b = s->bindings;
        s->bindings = b->next;
        drop(b->value);
        free(b->name);
        free(b);
    }
    free(s);
}

static Value *sort(const Value *v) {
    Value *result = new_value(NULL);
    for (int i = 0; i < v->n_items; i++) {
        int at = i;
        add_item(result, use(v->items[i]));
        for (; at > 0 && compare(result->items[at - 1], v->items[i]) > 0; at--)
            result->items[at] = result->items[at - 1];
        result->items[at] = v->items[i];
    }
    return result;
}

/* `argument` may be NULL; the caller becomes a user of what is returned. */
static Value *apply(const char *filter, Value *v, Value *argument, int line) {
    if (strcmp(filter, "length") == 0)
        return new_number(v->is_list ? v->n_items : (long)strlen(v->text));
    if (strcmp(filter, "default") == 0)
        return is_true(v) || argument == NULL ? use(v) : use(argument);
    if (strcmp(filter, "join") == 0)
        return join(v, NULL, argument != NULL && !argument->is_list ? argument->text : ", ");
    if (strcmp(filter, "sort") == 0 && v->is_list)
        return sort(v);
    complain(line, "cannot", filter);
    return use(v);
}

/* The caller becomes a user of what is returned. */
static Value *evaluate(const Node *e) {
    if (e->kind == E_TEXT)
        return new_value(e->text);
    if (e->kind == E_NAME) {
        Binding *b = look_up(e->text);
        if (b == NULL && strict)
            complain(e->line, "unknown", e->text);
        return b != NULL ? use(b->value) : new_value("");
    }
    if (e->kind == E_LIST) {
        Value *list = new_value(NULL);
        for (const Node *item = e->expr; item != NULL; item = item->next)
            add_item(list, evaluate(item));
        return list;
    }
    Value *left = evaluate(e->expr), *result = NULL;
    char operator = e->kind == E_BINARY ? e->text[0] : '\0';
    if (operator == 'a' || operator == 'o') {
        if (is_true(left) == (operator == 'o'))
            return left;
        drop(left);
        return evaluate(e->right);
    }
    Value *right = e->right != NULL ? evaluate(e->right) : NULL;
    if (e->kind == E_NOT) {
        result = new_number(!is_true(left));
    } else if (e->kind == E_FILTER) {
        result = apply(e->text, left, right, e->line);
    } else if (operator == 'i') {
        result = new_number(contains(right, left));
    } else if (operator == '~') {
        result = join(left, right, "");
    } else {
        int order = compare(left, right);
        result = new_number(operator == '<' ? order < 0 : operator == '>' ? order > 0 : (order == 0) == (operator == '='));
    }
    drop(left);
    if (right != NULL)
        drop(right);
    return result;
}

/* The next token of a tag. */
static void advance(Parser *p) {
    size_t n = 0;
    p->at += strspn(p->at, " \t\n");
    p->kind = 'o';
    if (*p->at == '\0' || strncmp(p->at, "}}", 2) == 0 || strncmp(p->at, "%}", 2) == 0 ||
        strncmp(p->at, "-%}", 3) == 0) {
        p->kind = 'e';
    } else if (*p->at == '"') {
        p->kind = 't';
        p->at++;
        n = strcspn(p->at, "\"\n");
    } else if (isalnum((unsigned char)*p->at)) {
        p->kind = isdigit((unsigned char)*p->at) ? 't' : 'n';
        while (isalnum((unsigned char)p->at[n]) || p->at[n] == '.' || p->at[n] == '_')
            n++;
    } else {
        n = (p->at[0] == '=' || p->at[0] == '!') && p->at[1] == '=' ? 2 : 1;
    }
    snprintf(p->token, sizeof p->token, "%.*s", (int)n, p->at);
    p->at += n;
    if (p->kind == 't' && *p->at == '"')
        p->at++;
}

static bool is_token(const Parser *p, const char *text) {
    return (p->kind == 'n' || p->kind == 'o') && strcmp(p->token, text) == 0;
}

static bool accept(Parser *p, const char *text) {
    if (!is_token(p, text))
        return false;
    advance(p);
    return true;
}

static int line_of(const Parser *p) {
    int line = 1;
    for (const char *c = p->start; c < p->at; c++)
        line += *c == '\n';
    return line;
}

static Node *new_node(Kind kind, const Parser *p, const char *text) {
    Node *n = get_memory(NULL, sizeof *n);
    *n = (Node){.kind = kind, .line = line_of(p), .text = copy_part(text, strlen(text))};
    return n;
}

static void expect(Parser *p, const char *text, const Node *n) {
    if (!accept(p, text))
        complain(n->line, "missing", text);
}

static Node *parse_expr(Parser *p, int level);
/* EXPR, EXPR... */
static Node *parse_list(Parser *p) {
    Node *first = NULL, **last = &first;
    do {
        *last = parse_expr(p, 0);
        last = &(*last)->next;
    } while (accept(p, ","));
    return first;
}

static Node *parse_primary(Parser *p) {
    if (accept(p, "(")) {
        Node *inner = parse_expr(p, 0);
        expect(p, ")", inner);
        return inner;
    }
    Node *e = new_node(p->kind == 'n' ? E_NAME : E_TEXT, p, p->token);
    if (accept(p, "not")) {
        e->kind = E_NOT;
        e->expr = parse_expr(p, 2);
    } else if (accept(p, "[")) {
        e->kind = E_LIST;
        e->expr = is_token(p, "]") ? NULL : parse_list(p);
        expect(p, "]", e);
    } else if (p->kind == 'o' || p->kind == 'e') {
        complain(e->line, "no value before", p->token);
    } else {
        advance(p);
    }
    return e;
}

/* Operators of higher levels bind tighter. */
static Node *parse_expr(Parser *p, int level) {
    static const char *const operators[][6] = {{"or"}, {"and"}, {"==", "!=", "<", ">", "in"}, {"~"}, {"|"}};
    if (level == 5)
        return parse_primary(p);
    Node *e = parse_expr(p, level + 1);
    for (int i = 0; operators[level][i] != NULL; i++) {
        if (!accept(p, operators[level][i]))
            continue;
        Node *left = e;
        e = new_node(level == 4 ? E_FILTER : E_BINARY, p, level == 4 ? p->token : operators[level][i]);
        e->expr = left;
        if (level == 4)
            advance(p);
        if (level < 4)
            e->right = parse_expr(p, level + 1);
        else if (p->kind == 't' || is_token(p, "(") || is_token(p, "["))
            e->right = parse_primary(p);
        i = -1;
    }
    return e;
}

static void close_tag(Parser *p) {
    if (p->kind != 'e')
        complain(line_of(p), "too much before the end of a tag:", p->token);
    while (p->kind != 'e')
        advance(p);
    p->trim = *p->at == '-';
    p->at += p->trim;
    if (*p->at != '\0')
        p->at += 2;
}

/* Up to the next tag. */
static Node *parse_text(Parser *p) {
    const char *from = p->at, *to = from;
    while (*to != '\0' && !(to[0] == '{' && to[1] != '\0' && strchr("{%#", to[1]) != NULL))
        to++;
    p->at = to;
    while (p->trim && from < to && isspace((unsigned char)*from))
        from++;
    if (strncmp(to, "{%-", 3) == 0)
        while (to > from && isspace((unsigned char)to[-1]))
            to--;
    p->trim = false;
    char *text = copy_part(from, (size_t)(to - from));
    Node *n = new_node(N_TEXT, p, text);
    free(text);
    return n;
}

static Node *parse_block(Parser *p);

/* The blocks of an if, a for or a macro, up to its end. */
static void parse_blocks(Parser *p, Node *n) {
    close_tag(p);
    n->body = parse_block(p);
    if (n->kind == N_IF && accept(p, "elif")) {
        n->other = new_node(N_IF, p, "");
        n->other->expr = parse_expr(p, 0);
        parse_blocks(p, n->other);
        return;
    }
    if (n->kind != N_MACRO && accept(p, "else")) {
        close_tag(p);
        n->other = parse_block(p);
    }
    expect(p, "end", n);
}

static Node *parse_statement(Parser *p) {
    static const char *const words[] = {"if", "for", "set", "macro", "call"};
    Kind kind = N_IF;
    while (kind <= N_CALL && !accept(p, words[kind - N_IF]))
        kind++;
    Node *n = new_node(kind, p, p->token);
    if (kind > N_CALL) {
        complain(n->line, "no statement", p->token);
        return n;
    }
    if (kind != N_IF)
        advance(p);
    if (kind == N_SET || kind == N_FOR)
        expect(p, kind == N_SET ? "=" : "in", n);
    if (kind == N_MACRO || kind == N_CALL)
        n->expr = p->kind != 'e' ? parse_list(p) : NULL;
    else
        n->expr = parse_expr(p, 0);
    if (kind == N_MACRO) {
        n->other = macros;
        macros = n;
    }
    if (kind != N_SET && kind != N_CALL)
        parse_blocks(p, n);
    return n;
}

/* Up to the end, or the word behind {% that ends the block. */
static Node *parse_block(Parser *p) {
    Node *first = NULL, **last = &first;
    for (;;) {
        *last = parse_text(p);
        last = &(*last)->next;
        p->kind = 'e';
        if (*p->at == '\0')
            return first;
        char kind = p->at[1];
        if (kind == '#') {
            const char *end = strstr(p->at, "#}");
            p->at = end != NULL ? end + 2 : p->at + strlen(p->at);
            continue;
        }
        p->at += strncmp(p->at, "{%-", 3) == 0 ? 3 : 2;
        advance(p);
        if (is_token(p, "end") || is_token(p, "else") || is_token(p, "elif"))
            return first;
        if (kind == '{') {
            *last = new_node(N_PRINT, p, "");
            (*last)->expr = parse_expr(p, 0);
        } else {
            *last = parse_statement(p);
        }
        last = &(*last)->next;
        close_tag(p);
    }
}

static void render(const Node *n, Buffer *out);

static void render_for(const Node *n, Buffer *out) {
    Value *list = evaluate(n->expr);
    open_scope();
    for (int i = 0; i < list->n_items; i++) {
        bind(n->text, use(list->items[i]));
        bind("loop.index", new_number(i + 1));
        bind("loop.last", new_number(i == list->n_items - 1));
        render(n->body, out);
    }
    close_scope();
    if (list->n_items == 0)
        render(n->other, out);
    drop(list);
}

static void render_call(const Node *n, Buffer *out) {
    const Node *macro = macros;
    while (macro != NULL && strcmp(macro->text, n->text) != 0)
        macro = macro->other;
    if (macro == NULL || depth == MAX_DEPTH) {
        complain(n->line, macro == NULL ? "no macro" : "too deep in", n->text);
        return;
    }
    Value *arguments = new_value(NULL);
    for (const Node *a = n->expr; a != NULL; a = a->next)
        add_item(arguments, evaluate(a));
    open_scope();
    int i = 0;
    for (const Node *name = macro->expr; name != NULL; name = name->next, i++)
        bind(name->text, i < arguments->n_items ? use(arguments->items[i]) : new_value(""));
    if (i < arguments->n_items)
        complain(n->line, "too many arguments for", n->text);
    drop(arguments);
    depth++;
    render(macro->body, out);
    depth--;
    close_scope();
}

static void render(const Node *n, Buffer *out) {
    for (; n != NULL; n = n->next) {
        Value *v = NULL;
        if (n->kind == N_PRINT || n->kind == N_IF || n->kind == N_SET)
            v = evaluate(n->expr);
        if (n->kind == N_TEXT)
            append(out, n->text, strlen(n->text));
        else if (n->kind == N_PRINT)
            append_value(out, v, ", ");
        else if (n->kind == N_IF)
            render(is_true(v) ? n->body : n->other, out);
        else if (n->kind == N_SET)
            bind(n->text, use(v));
        else if (n->kind == N_FOR)
            render_for(n, out);
        else if (n->kind == N_CALL)
            render_call(n, out);
        if (v != NULL)
            drop(v);
    }
}

int main(int argc, char **argv) {
    Buffer in = {0}, out = {0};
    int c;
    open_scope();
    for (int i = 1; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        strict = strict || strcmp(argv[i], "-s") == 0;
        if (equals == NULL)
            continue;
        *equals = '\0';
        bind(argv[i], new_value(equals + 1));
    }
    append(&in, "", 0);
    while ((c = getchar()) != EOF)
        append(&in, &(char){(char)c}, 1);
    Parser p = {.start = in.text, .at = in.text};
    template = parse_block(&p);
    if (p.kind != 'e')
        complain(0, "nothing to", p.token);
    if (errors == 0)
        render(template, &out);
    printf("%s", out.text != NULL ? out.text : "");
    if (errors > 0)
        printf("%d errors\n", errors);
    close_scope();
    free(in.text);
    free(out.text);
    return 0;
}
