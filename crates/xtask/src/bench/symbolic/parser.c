// A parser of a small language, as people write them by hand: a lexer, a recursive descent, a tree, and a check of what was read.
// It reads a program from standard input and says what is in it, or where it is wrong.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    END, NUMBER, NAME, TEXT, LET, PRINT, IF, ELSE, WHILE, RETURN, FUNCTION,
    PLUS, MINUS, STAR, SLASH, PERCENT, ASSIGN, EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, NOT, NOT_EQUAL,
    AND, OR, OPEN, CLOSE, BEGIN, FINISH, COMMA, SEMICOLON, BRACKET, BRACKET_END, WRONG
};

struct token {
    enum kind kind;
    const char *begin;
    int length;
    long number;
};

struct tree {
    enum kind kind;
    long number;
    struct tree *first, *second, *third, *next;
};

static char source[4096];
static const char *at;
static int line = 1;
static struct token token;
static struct tree trees[512];
static int trees_used;
static int depth;

static const struct {
    const char *word;
    enum kind kind;
} words[] = {
    { "let", LET }, { "print", PRINT }, { "if", IF }, { "else", ELSE },
    { "while", WHILE }, { "return", RETURN }, { "function", FUNCTION },
};

static void fail(const char *what) {
    printf("line %d: %s\n", line, what);
    exit(1);
}

static int is_letter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(int c) {
    return c >= '0' && c <= '9';
}

static void skip_blanks(void) {
    for (;;) {
        if (*at == '\n') {
            line++;
            at++;
        } else if (*at == ' ' || *at == '\t' || *at == '\r') {
            at++;
        } else if (*at == '#') {
            while (*at && *at != '\n')
                at++;
        } else {
            return;
        }
    }
}

static void read_number(void) {
    long value = 0;
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        at += 2;
        const char *first = at;
        for (;; at++) {
            if (is_digit(*at))
                value = value * 16 + (*at - '0');
            else if (*at >= 'a' && *at <= 'f')
                value = value * 16 + (*at - 'a' + 10);
            else
                break;
        }
        if (at == first)
            fail("a hexadecimal number without digits");
    } else {
        while (is_digit(*at)) {
            if (value > 100000000)
                fail("a number that is too large");
            value = value * 10 + (*at++ - '0');
        }
    }
    if (is_letter(*at))
        fail("a letter behind a number");
    token.kind = NUMBER;
    token.number = value;
}

static void read_word(void) {
    while (is_letter(*at) || is_digit(*at))
        at++;
    token.length = at - token.begin;
    token.kind = NAME;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if ((int)strlen(words[i].word) == token.length && !strncmp(words[i].word, token.begin, token.length))
            token.kind = words[i].kind;
}

static void read_text(void) {
    at++;
    while (*at != '"') {
        if (!*at || *at == '\n')
            fail("a text without an end");
        if (*at == '\\') {
            at++;
            if (*at != 'n' && *at != 't' && *at != '"' && *at != '\\')
                fail("an unknown escape");
        }
        at++;
    }
    at++;
    token.kind = TEXT;
}

static enum kind either(char second, enum kind both, enum kind alone) {
    if (at[1] == second) {
        at += 2;
        return both;
    }
    at++;
    return alone;
}

static void advance(void) {
    skip_blanks();
    token.begin = at;
    if (is_digit(*at)) {
        read_number();
        return;
    }
    if (is_letter(*at)) {
        read_word();
        return;
    }
    switch (*at) {
    case 0: token.kind = END; return;
    case '"': read_text(); return;
    case '=': token.kind = either('=', EQUAL, ASSIGN); return;
    case '<': token.kind = either('=', LESS_EQUAL, LESS); return;
    case '>': token.kind = either('=', GREATER_EQUAL, GREATER); return;
    case '!': token.kind = either('=', NOT_EQUAL, NOT); return;
    case '&': token.kind = either('&', AND, WRONG); break;
    case '|': token.kind = either('|', OR, WRONG); break;
    case '+': token.kind = PLUS; at++; return;
    case '-': token.kind = MINUS; at++; return;
    case '*': token.kind = STAR; at++; return;
    case '/': token.kind = SLASH; at++; return;
    case '%': token.kind = PERCENT; at++; return;
    case '(': token.kind = OPEN; at++; return;
    case ')': token.kind = CLOSE; at++; return;
    case '{': token.kind = BEGIN; at++; return;
    case '}': token.kind = FINISH; at++; return;
    case '[': token.kind = BRACKET; at++; return;
    case ']': token.kind = BRACKET_END; at++; return;
    case ',': token.kind = COMMA; at++; return;
    case ';': token.kind = SEMICOLON; at++; return;
    default: token.kind = WRONG;
    }
    if (token.kind == WRONG)
        fail("an unknown character");
}

static void expect(enum kind kind, const char *what) {
    if (token.kind != kind)
        fail(what);
    advance();
}

static struct tree *make(enum kind kind, struct tree *first, struct tree *second) {
    if (trees_used == 512)
        fail("a program that is too long");
    struct tree *made = &trees[trees_used++];
    made->kind = kind;
    made->first = first;
    made->second = second;
    return made;
}

static struct tree *expression(int least);

static struct tree *primary(void) {
    struct tree *made;
    if (++depth > 40)
        fail("nested too deeply");
    switch (token.kind) {
    case NUMBER:
        made = make(NUMBER, NULL, NULL);
        made->number = token.number;
        advance();
        break;
    case TEXT:
        made = make(TEXT, NULL, NULL);
        advance();
        break;
    case NAME:
        made = make(NAME, NULL, NULL);
        made->number = token.length;
        advance();
        if (token.kind == OPEN) {
            struct tree **last = &made->first;
            advance();
            while (token.kind != CLOSE) {
                *last = expression(0);
                last = &(*last)->next;
                if (token.kind == COMMA)
                    advance();
                else if (token.kind != CLOSE)
                    fail("a comma is missing");
            }
            advance();
        } else if (token.kind == BRACKET) {
            advance();
            made->second = expression(0);
            expect(BRACKET_END, "a bracket is open");
        }
        break;
    case OPEN:
        advance();
        made = expression(0);
        expect(CLOSE, "a parenthesis is open");
        break;
    case MINUS:
    case NOT: {
        enum kind kind = token.kind;
        advance();
        made = make(kind, primary(), NULL);
        break;
    }
    default:
        fail("an expression is missing");
        return NULL;
    }
    depth--;
    return made;
}

static int binds(enum kind kind) {
    switch (kind) {
    case OR: return 1;
    case AND: return 2;
    case EQUAL: case NOT_EQUAL: return 3;
    case LESS: case LESS_EQUAL: case GREATER: case GREATER_EQUAL: return 4;
    case PLUS: case MINUS: return 5;
    case STAR: case SLASH: case PERCENT: return 6;
    default: return 0;
    }
}

static struct tree *expression(int least) {
    struct tree *left = primary();
    for (;;) {
        enum kind kind = token.kind;
        int strength = binds(kind);
        if (strength == 0 || strength <= least)
            return left;
        advance();
        struct tree *right = expression(strength);
        if ((kind == SLASH || kind == PERCENT) && right->kind == NUMBER && right->number == 0)
            fail("a division by zero");
        left = make(kind, left, right);
    }
}

static struct tree *statement(void);

static struct tree *block(void) {
    struct tree *first = NULL, **last = &first;
    expect(BEGIN, "a block is missing");
    while (token.kind != FINISH) {
        if (token.kind == END)
            fail("a block is open");
        *last = statement();
        last = &(*last)->next;
    }
    advance();
    return make(BEGIN, first, NULL);
}

static struct tree *statement(void) {
    enum kind kind = token.kind;
    struct tree *made;
    switch (kind) {
    case LET:
        advance();
        if (token.kind != NAME)
            fail("a name is missing");
        advance();
        expect(ASSIGN, "what it is to be is missing");
        made = make(LET, expression(0), NULL);
        break;
    case PRINT:
    case RETURN:
        advance();
        made = make(kind, expression(0), NULL);
        break;
    case IF:
    case WHILE:
        advance();
        made = make(kind, expression(0), NULL);
        made->second = block();
        if (kind == IF && token.kind == ELSE) {
            advance();
            made->third = block();
        }
        return made;
    case FUNCTION:
        advance();
        expect(NAME, "a function needs a name");
        expect(OPEN, "parameters are missing");
        while (token.kind == NAME) {
            advance();
            if (token.kind == COMMA)
                advance();
        }
        expect(CLOSE, "parameters do not end");
        return make(FUNCTION, block(), NULL);
    default:
        made = expression(0);
        if (token.kind == ASSIGN) {
            if (made->kind != NAME)
                fail("this cannot be assigned to");
            advance();
            made = make(ASSIGN, made, expression(0));
        }
    }
    expect(SEMICOLON, "a semicolon is missing");
    return made;
}

static int count(const struct tree *tree, enum kind kind) {
    int all = 0;
    for (; tree; tree = tree->next)
        all += (tree->kind == kind) + count(tree->first, kind) + count(tree->second, kind) + count(tree->third, kind);
    return all;
}

int main(void) {
    struct tree *program = NULL, **last = &program;
    size_t length = fread(source, 1, sizeof source - 1, stdin);
    source[length] = 0;
    at = source;
    advance();
    while (token.kind != END) {
        *last = statement();
        last = &(*last)->next;
    }
    printf("%d lines, %d numbers, %d names, %d calls of print\n", line, count(program, NUMBER), count(program, NAME),
           count(program, PRINT));
    return 0;
}
