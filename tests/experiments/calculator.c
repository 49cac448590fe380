/* A calculator: a line is an expression, or NAME = expression. Two faults, unless it is built with -DRIGHT: the remainder
   by zero is not looked for, and names that differ only after their first character are taken for the same. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES 64
#define LONGEST 32

struct variable {
    char name[LONGEST];
    long value;
};

static struct variable variables[MOST_NAMES];
static int variable_count;
static const char *at;
static const char *trouble;

static long expression(void);

static struct variable *find(const char *name) {
    for (int i = 0; i < variable_count; i++) {
#ifdef RIGHT
        if (strcmp(variables[i].name, name) == 0)
#else
        if (variables[i].name[0] == name[0])
#endif
            return &variables[i];
    }
    if (variable_count == MOST_NAMES) {
        trouble = "too many names";
        return NULL;
    }
    struct variable *new = &variables[variable_count++];
    strcpy(new->name, name);
    new->value = 0;
    return new;
}

static void skip(void) {
    while (*at == ' ' || *at == '\t')
        at++;
}

static int take(char wanted) {
    skip();
    if (*at != wanted)
        return 0;
    at++;
    return 1;
}

static int name(char *to) {
    int length = 0;
    skip();
    if (!isalpha((unsigned char)*at))
        return 0;
    while (isalnum((unsigned char)*at) && length < LONGEST - 1)
        to[length++] = *at++;
    to[length] = 0;
    return 1;
}

static long primary(void) {
    char text[LONGEST];
    if (take('-'))
        return -primary();
    if (take('(')) {
        long value = expression();
        if (!take(')'))
            trouble = "a parenthesis is open";
        return value;
    }
    if (name(text)) {
        struct variable *found = find(text);
        return found ? found->value : 0;
    }
    if (!isdigit((unsigned char)*at)) {
        trouble = "something is missing";
        return 1;
    }
    long value = 0;
    while (isdigit((unsigned char)*at))
        value = value * 10 + (*at++ - '0');
    return value;
}

static long term(void) {
    long value = primary();
    for (;;) {
        if (take('*')) {
            value *= primary();
        } else if (take('/')) {
            long by = primary();
            if (by == 0)
                trouble = "division by zero";
            else
                value /= by;
        } else if (take('%')) {
            long by = primary();
#ifdef RIGHT
            if (by == 0)
                trouble = "division by zero";
            else
#endif
                value %= by;
        } else {
            return value;
        }
    }
}

static long expression(void) {
    long value = term();
    for (;;) {
        if (take('+'))
            value += term();
        else if (take('-'))
            value -= term();
        else
            return value;
    }
}

static void calculate(const char *line) {
    char text[LONGEST];
    struct variable *to = NULL;
    trouble = NULL;
    at = line;
    if (name(text) && take('='))
        to = find(text);
    else
        at = line;
    long value = expression();
    skip();
    if (!trouble && *at != '\n' && *at != 0)
        trouble = "something is left over";
    if (trouble)
        printf("error: %s\n", trouble);
    else if (to)
        to->value = value;
    else
        printf("%ld\n", value);
}

int main(void) {
    char line[512];
    while (fgets(line, sizeof line, stdin))
        if (line[0] != '\n' && line[0] != '#')
            calculate(line);
    return 0;
}
