/* Splits C-like source into tokens and prints them: tokens [-c] [-p] < SOURCE
   -c shows comments, -p positions. At the end a count of each kind. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    T_END,
    T_NAME,
    T_KEYWORD,
    T_INTEGER,
    T_FLOAT,
    T_STRING,
    T_CHARACTER,
    T_OPERATOR,
    T_COMMENT,
    T_ERROR,
    KINDS
} Kind;

static const char *const kind_names[KINDS] = {
    "end", "name", "keyword", "integer", "float", "string", "character", "operator", "comment", "error",
};

typedef struct {
    Kind kind;
    int line, column;
    char text[128];
    long value; /* of integers and characters */
    const char *trouble;
} Token;

/* The whole source. */
static char *source;
static size_t length, at;
static int line = 1, column = 1;

static const char *const keywords[] = {
    "break", "case", "char", "continue", "do", "else", "for", "if", "int", "return", "struct", "switch", "void", "while",
};

/* Longer ones first where one begins with another. */
static const char *const operators[] = {
    "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "->", "+=", "-=", "*=", "/=", "%=",
    "+",   "-",   "*",   "/",  "%",  "<",  ">",  "=",  "!",  "&",  "|",  "^",  "~",  "?",  ":",  ";",  ",",  ".",  "(",
    ")",   "[",   "]",   "{",  "}",
};

static void read_source(void) {
    size_t room = 256;
    source = malloc(room);
    if (source == NULL)
        exit(2);
    int c;
    while ((c = getchar()) != EOF) {
        if (length + 1 == room) {
            room *= 2;
            source = realloc(source, room);
            if (source == NULL)
                exit(2);
        }
        source[length++] = (char)c;
    }
    source[length] = '\0';
}

static int peek(size_t ahead) {
    return at + ahead < length ? (unsigned char)source[at + ahead] : EOF;
}

static int advance(void) {
    int c = peek(0);
    if (c == EOF)
        return EOF;
    at++;
    if (c == '\n') {
        line++;
        column = 1;
    } else if (c == '\t') {
        column += 8 - (column - 1) % 8;
    } else {
        column++;
    }
    return c;
}

static void append(Token *t, int c) {
    size_t n = strlen(t->text);
    if (n + 1 < sizeof t->text) {
        t->text[n] = (char)c;
        t->text[n + 1] = '\0';
    }
}

static void fail(Token *t, const char *trouble) {
    t->kind = T_ERROR;
    t->trouble = trouble;
}

static int digit_value(int c) {
    if (isdigit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static void skip_blanks(void) {
    while (peek(0) != EOF && isspace(peek(0)))
        advance();
}

static void comment(Token *t) {
    t->kind = T_COMMENT;
    append(t, advance());
    int second = advance();
    append(t, second);
    if (second == '/') {
        while (peek(0) != EOF && peek(0) != '\n')
            append(t, advance());
        return;
    }
    while (peek(0) != EOF) {
        if (peek(0) == '*' && peek(1) == '/') {
            append(t, advance());
            append(t, advance());
            return;
        }
        append(t, advance());
    }
    fail(t, "comment does not end");
}

static void name(Token *t) {
    t->kind = T_NAME;
    while (isalnum(peek(0)) || peek(0) == '_')
        append(t, advance());
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (strcmp(t->text, keywords[i]) == 0) {
            t->kind = T_KEYWORD;
            break;
        }
    }
}

static void exponent(Token *t) {
    append(t, advance());
    if (peek(0) == '+' || peek(0) == '-')
        append(t, advance());
    if (!isdigit(peek(0))) {
        fail(t, "exponent has no digits");
        return;
    }
    while (isdigit(peek(0)))
        append(t, advance());
}

static void number(Token *t) {
    int base = 10;
    t->kind = T_INTEGER;
    if (peek(0) == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
        base = 16;
        append(t, advance());
        append(t, advance());
        if (digit_value(peek(0)) >= 16) {
            fail(t, "hexadecimal number has no digits");
            return;
        }
    } else if (peek(0) == '0' && isdigit(peek(1))) {
        base = 8;
    }
    while (digit_value(peek(0)) < (base == 16 ? 16 : 10)) {
        int digit = digit_value(peek(0));
        if (digit >= base)
            fail(t, "wrong digit");
        t->value = t->value * base + digit;
        append(t, advance());
    }
    if (base == 10 && peek(0) == '.') {
        t->kind = T_FLOAT;
        append(t, advance());
        while (isdigit(peek(0)))
            append(t, advance());
    }
    if (base == 10 && (peek(0) == 'e' || peek(0) == 'E')) {
        t->kind = T_FLOAT;
        exponent(t);
    }
    if (t->kind == T_INTEGER) {
        while (peek(0) == 'u' || peek(0) == 'U' || peek(0) == 'l' || peek(0) == 'L')
            append(t, advance());
    }
    if (isalpha(peek(0)) || peek(0) == '_') {
        while (isalnum(peek(0)) || peek(0) == '_')
            append(t, advance());
        fail(t, "letters after a number");
    }
}

/* The value of an escape; its backslash is still to come. */
static int escape(Token *t) {
    append(t, advance());
    int c = advance();
    append(t, c);
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case '\\':
    case '\'':
    case '"':
        return c;
    case 'x': {
        int value = 0, digits = 0;
        while (digits < 2 && digit_value(peek(0)) < 16) {
            value = value * 16 + digit_value(peek(0));
            append(t, advance());
            digits++;
        }
        if (digits == 0)
            fail(t, "escape has no digits");
        return value;
    }
    default:
        if (c >= '0' && c <= '7') {
            int value = c - '0';
            for (int digits = 1; digits < 3 && peek(0) >= '0' && peek(0) <= '7'; digits++) {
                value = value * 8 + digit_value(peek(0));
                append(t, advance());
            }
            return value;
        }
        fail(t, "unknown escape");
        return 0;
    }
}

static void quoted(Token *t, int quote) {
    int characters = 0;
    t->kind = quote == '"' ? T_STRING : T_CHARACTER;
    append(t, advance());
    while (peek(0) != quote) {
        if (peek(0) == EOF || peek(0) == '\n') {
            fail(t, "quote does not end");
            return;
        }
        int value;
        if (peek(0) == '\\' && peek(1) != EOF) {
            value = escape(t);
        } else {
            value = advance();
            append(t, value);
        }
        t->value = value;
        characters++;
    }
    append(t, advance());
    if (t->kind == T_CHARACTER && characters != 1)
        fail(t, "not one character");
    if (t->kind == T_STRING)
        t->value = characters;
}

static void operator(Token *t) {
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        size_t n = strlen(operators[i]);
        if (strncmp(source + at, operators[i], n) == 0) {
            t->kind = T_OPERATOR;
            while (n-- > 0)
                append(t, advance());
            return;
        }
    }
    append(t, advance());
    fail(t, "stray character");
}

static Token next(void) {
    skip_blanks();
    Token t = {.kind = T_END, .line = line, .column = column};
    int c = peek(0);
    if (c == EOF)
        return t;
    if (c == '/' && (peek(1) == '/' || peek(1) == '*'))
        comment(&t);
    else if (isalpha(c) || c == '_')
        name(&t);
    else if (isdigit(c) || (c == '.' && isdigit(peek(1))))
        number(&t);
    else if (c == '"' || c == '\'')
        quoted(&t, c);
    else
        operator(&t);
    return t;
}

static void show(const Token *t, int positions) {
    if (positions)
        printf("%d:%d ", t->line, t->column);
    printf("%s %s", kind_names[t->kind], t->text);
    if (t->kind == T_INTEGER || t->kind == T_CHARACTER || t->kind == T_STRING)
        printf(" = %ld", t->value);
    if (t->trouble != NULL)
        printf(" (%s)", t->trouble);
    putchar('\n');
}

int main(int argc, char **argv) {
    int comments = 0, positions = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-c") == 0)
            comments = 1;
        else if (strcmp(argv[i], "-p") == 0)
            positions = 1;
    }
    read_source();
    int counts[KINDS] = {0};
    for (Token t = next(); t.kind != T_END; t = next()) {
        counts[t.kind]++;
        if (t.kind != T_COMMENT || comments)
            show(&t, positions);
    }
    for (int kind = T_NAME; kind < KINDS; kind++)
        if (counts[kind] > 0)
            printf("%s: %d\n", kind_names[kind], counts[kind]);
    free(source);
    return 0;
}
