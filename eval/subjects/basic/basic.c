/*
 * A small BASIC. The program is on standard input, one numbered line each; DATA for INPUT are the arguments.
 *
 *   LET v = e   v = e   PRINT e|"text" [;,] ...   INPUT v   IF e THEN n|statement   GOTO n   GOSUB n   RETURN
 *   FOR v = e TO e [STEP e]   NEXT v   DIM v(n)   REM ...   END
 *
 * Variables are one letter; an array may have the same letter. Whole numbers. Relations give -1 for true and 0.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINES 200
#define MAX_STACK 16
#define MAX_STEPS 20000

typedef struct {
    int number;
    char *text;
} Line;

typedef struct {
    int variable;
    long limit, step;
    int line;          /* position to go back to */
    const char *rest;  /* and what follows the FOR there */
} Loop;

static Line program[MAX_LINES];
static int n_lines;
static int pc;         /* position in program */
static int jumped;     /* pc was set by a statement */
static const char *p;  /* what is to be read of the line */
static long variables[26];
static long *arrays[26];
static int sizes[26];
static Loop loops[MAX_STACK];
static int n_loops;
static int returns[MAX_STACK];
static int n_returns;
static int stopped;
static int column;
static char **inputs;

static void fail(const char *what) {
    if (!stopped)
        printf("%s?%s in %d\n", column > 0 ? "\n" : "", what, pc < n_lines ? program[pc].number : 0);
    stopped = 1;
}

static void blanks(void) {
    while (*p == ' ')
        p++;
}

/* Takes a word in capitals, if it comes next. */
static int word(const char *w) {
    size_t n = strlen(w);
    blanks();
    if (strncmp(p, w, n) != 0)
        return 0;
    if (isalpha((unsigned char)w[0]) && isalpha((unsigned char)p[n]))
        return 0;
    p += n;
    return 1;
}

static int name(void) {
    blanks();
    if (*p < 'A' || *p > 'Z') {
        fail("name expected");
        return 0;
    }
    return *p++ - 'A';
}

static long expression(void);

static long *element(int v) {
    long i = expression();
    if (!word(")"))
        fail("missing )");
    if (arrays[v] == NULL) {
        fail("no array");
        return NULL;
    }
    if (i < 0 || i > sizes[v]) {
        fail("out of bounds");
        return NULL;
    }
    return &arrays[v][i];
}

static long factor(void) {
    blanks();
    if (stopped)
        return 0;
    if (isdigit((unsigned char)*p))
        return strtol(p, (char **)&p, 10);
    if (word("-"))
        return -factor();
    if (word("(")) {
        long v = expression();
        if (!word(")"))
            fail("missing )");
        return v;
    }
    if (word("ABS")) {
        long v = factor();
        return v < 0 ? -v : v;
    }
    if (word("SGN")) {
        long v = factor();
        return (v > 0) - (v < 0);
    }
    if (word("NOT"))
        return ~factor();
    int v = name();
    if (word("(")) {
        long *place = element(v);
        return place != NULL ? *place : 0;
    }
    return variables[v];
}

static long term(void) {
    long v = factor();
    for (;;) {
        if (word("*")) {
            v *= factor();
        } else if (word("/")) {
            long d = factor();
            if (d == 0)
                fail("division by zero");
            v = d != 0 ? v / d : 0;
        } else if (word("MOD")) {
            long d = factor();
            if (d == 0)
                fail("division by zero");
            v = d != 0 ? v % d : 0;
        } else {
            return v;
        }
    }
}

static long sum(void) {
    long v = term();
    for (;;) {
        if (word("+"))
            v += term();
        else if (word("-"))
            v -= term();
        else
            return v;
    }
}

static long relation(void) {
    long v = sum();
    if (word("<="))
        return -(v <= sum());
    if (word(">="))
        return -(v >= sum());
    if (word("<>"))
        return -(v != sum());
    if (word("<"))
        return -(v < sum());
    if (word(">"))
        return -(v > sum());
    if (word("="))
        return -(v == sum());
    return v;
}

static long expression(void) {
    long v = relation();
    for (;;) {
        if (word("AND"))
            v &= relation();
        else if (word("OR"))
            v |= relation();
        else
            return v;
    }
}

static int find(long number) {
    int low = 0, high = n_lines - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (program[middle].number == number)
            return middle;
        if (program[middle].number < number)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

static void go(long number) {
    int position = find(number);
    if (position < 0) {
        fail("no such line");
        return;
    }
    pc = position;
    p = program[pc].text;
    jumped = 1;
}

static void print(void) {
    int newline = 1;
    blanks();
    while (*p != '\0' && *p != ':' && !stopped) {
        newline = 1;
        if (*p == '"') {
            const char *end = strchr(p + 1, '"');
            if (end == NULL) {
                fail("missing \"");
                return;
            }
            column += printf("%.*s", (int)(end - p - 1), p + 1);
            p = end + 1;
        } else {
            long v = expression();
            if (!stopped)
                column += printf("%ld", v);
        }
        blanks();
        if (*p == ';') {
            newline = 0;
            p++;
        } else if (*p == ',') {
            /* To the next column that is a multiple of eight. */
            do {
                putchar(' ');
                column++;
            } while (column % 8 != 0);
            newline = 0;
            p++;
        }
        blanks();
    }
    if (newline && !stopped) {
        putchar('\n');
        column = 0;
    }
}

static void assign(void) {
    int v = name();
    long *place = &variables[v];
    if (word("("))
        place = element(v);
    if (!word("="))
        fail("= expected");
    long value = expression();
    if (!stopped && place != NULL)
        *place = value;
}

static void begin_loop(void) {
    Loop loop = {.step = 1};
    loop.variable = name();
    if (!word("="))
        fail("= expected");
    variables[loop.variable] = expression();
    if (!word("TO"))
        fail("TO expected");
    loop.limit = expression();
    if (word("STEP"))
        loop.step = expression();
    loop.line = pc;
    loop.rest = p;
    /* A loop over the same variable is begun anew. */
    for (int i = 0; i < n_loops; i++)
        if (loops[i].variable == loop.variable)
            n_loops = i;
    if (n_loops == MAX_STACK)
        fail("too many loops");
    else
        loops[n_loops++] = loop;
}

static void next_turn(void) {
    int v = name();
    while (n_loops > 0 && loops[n_loops - 1].variable != v)
        n_loops--;
    if (n_loops == 0) {
        fail("NEXT without FOR");
        return;
    }
    const Loop *loop = &loops[n_loops - 1];
    variables[v] += loop->step;
    int over = loop->step < 0 ? variables[v] < loop->limit : variables[v] > loop->limit;
    if (over) {
        n_loops--;
        return;
    }
    pc = loop->line;
    p = loop->rest;
    jumped = 1;
}

static void dimension(void) {
    int v = name();
    if (!word("("))
        fail("( expected");
    long size = expression();
    if (!word(")"))
        fail("missing )");
    if (size < 0 || size > 1000)
        fail("bad size");
    if (stopped)
        return;
    free(arrays[v]);
    arrays[v] = calloc((size_t)size + 1, sizeof(long));
    if (arrays[v] == NULL)
        exit(2);
    sizes[v] = (int)size;
}

static void statement(void) {
    if (word("REM")) {
        p += strlen(p);
    } else if (word("PRINT")) {
        print();
    } else if (word("INPUT")) {
        int v = name();
        if (*inputs == NULL)
            fail("no more input");
        else
            variables[v] = atol(*inputs++);
    } else if (word("IF")) {
        long condition = expression();
        if (!word("THEN"))
            fail("THEN expected");
        blanks();
        if (condition == 0)
            p += strlen(p);
        else if (isdigit((unsigned char)*p))
            go(strtol(p, NULL, 10));
        else
            statement();
    } else if (word("GOTO")) {
        go(expression());
    } else if (word("GOSUB")) {
        long to = expression();
        if (n_returns == MAX_STACK)
            fail("too many GOSUBs");
        else
            returns[n_returns++] = pc;
        go(to);
    } else if (word("RETURN")) {
        if (n_returns == 0) {
            fail("RETURN without GOSUB");
            return;
        }
        pc = returns[--n_returns] + 1;
        p = pc < n_lines ? program[pc].text : "";
        jumped = 1;
    } else if (word("FOR")) {
        begin_loop();
    } else if (word("NEXT")) {
        next_turn();
    } else if (word("DIM")) {
        dimension();
    } else if (word("END")) {
        stopped = 1;
    } else {
        word("LET");
        assign();
    }
}

static void run(void) {
    pc = 0;
    p = n_lines > 0 ? program[0].text : "";
    for (int steps = 0; pc < n_lines && !stopped; steps++) {
        if (steps == MAX_STEPS) {
            fail("too many steps");
            break;
        }
        jumped = 0;
        blanks();
        if (*p != '\0' && *p != ':')
            statement();
        if (stopped || jumped)
            continue;
        blanks();
        if (*p == ':') {
            p++;
        } else if (*p != '\0') {
            fail("unexpected text");
        } else {
            pc++;
            p = pc < n_lines ? program[pc].text : "";
        }
    }
}

/* Keeps lines in order; a line with a known number replaces the old one, or removes it if it is empty. */
static void enter(char *text) {
    char *end;
    long number = strtol(text, &end, 10);
    while (*end == ' ')
        end++;
    int at = 0;
    while (at < n_lines && program[at].number < number)
        at++;
    if (at < n_lines && program[at].number == number) {
        free(program[at].text);
        n_lines--;
        memmove(&program[at], &program[at + 1], (size_t)(n_lines - at) * sizeof(Line));
    }
    if (*end == '\0' || n_lines == MAX_LINES)
        return;
    memmove(&program[at + 1], &program[at], (size_t)(n_lines - at) * sizeof(Line));
    program[at].number = (int)number;
    program[at].text = malloc(strlen(end) + 1);
    if (program[at].text == NULL)
        exit(2);
    strcpy(program[at].text, end);
    n_lines++;
}

int main(int argc, char **argv) {
    char line[256];
    (void)argc;
    inputs = argv + 1;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (isdigit((unsigned char)line[0]))
            enter(line);
    }
    run();
    if (column > 0)
        putchar('\n');
    for (int i = 0; i < n_lines; i++)
        free(program[i].text);
    for (int v = 0; v < 26; v++)
        free(arrays[v]);
    return 0;
}
