/* A calculator: a statement a line, whole numbers.
 *
 *   NAME = EXPRESSION      EXPRESSION      show EXPRESSION (its tree)      def NAME(PARAMETER) = EXPRESSION
 *
 * Operators from the loosest: ?:  ||  &&  == != < <= > >=  + -  * / %  unary - !  ^ (to the right)
 * Functions: abs min max gcd sum fact, and those defined. `_` is the last result.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op { NUMBER, VARIABLE, CALL, NEG, NOT, ADD, SUB, MUL, DIV, MOD, POW, EQ, NE, LT, LE, GT, GE, AND, OR, CHOICE };

#define MAX_ARGUMENTS 4
#define NAME_SIZE 16
#define MAX_DEPTH 100

struct tree {
    enum op op;
    long number;
    char name[NAME_SIZE];
    struct tree *kids[MAX_ARGUMENTS];
    int n_kids;
    struct tree *all; /* the list of all trees, for freeing */
};

struct binding {
    char name[NAME_SIZE];
    long value;
};

struct definition {
    char name[NAME_SIZE], parameter[NAME_SIZE];
    struct tree *body;
};

static struct tree *all_trees;
static struct binding variables[64];
static int n_variables;
static struct definition definitions[16];
static int n_definitions;
static const char *p; /* what is still to be read of the line */
static jmp_buf recover;
static int depth;

static void fail(const char *what)
{
    printf("error: %s\n", what);
    longjmp(recover, 1);
}

static struct tree *new_tree(enum op op)
{
    struct tree *t = calloc(1, sizeof *t);
    if (!t)
        exit(2);
    t->op = op;
    t->all = all_trees;
    all_trees = t;
    return t;
}

static struct tree *binary(enum op op, struct tree *left, struct tree *right)
{
    struct tree *t = new_tree(op);
    t->kids[0] = left;
    t->kids[1] = right;
    t->n_kids = 2;
    return t;
}

static void blanks(void)
{
    while (*p == ' ' || *p == '\t')
        p++;
}

static int accept(const char *text)
{
    blanks();
    size_t n = strlen(text);
    if (strncmp(p, text, n) != 0)
        return 0;
    p += n;
    return 1;
}

static void read_name(char *name)
{
    int n = 0;
    blanks();
    while (isalnum((unsigned char)*p) || *p == '_') {
        if (n < NAME_SIZE - 1)
            name[n++] = *p;
        p++;
    }
    name[n] = '\0';
}

static struct tree *expression(void);

static struct tree *primary(void)
{
    blanks();
    if (isdigit((unsigned char)*p)) {
        struct tree *t = new_tree(NUMBER);
        while (isdigit((unsigned char)*p)) {
            if (t->number > 100000000000000L)
                fail("number too large");
            t->number = t->number * 10 + (*p++ - '0');
        }
        return t;
    }
    if (isalpha((unsigned char)*p) || *p == '_') {
        struct tree *t = new_tree(VARIABLE);
        read_name(t->name);
        if (accept("(")) {
            t->op = CALL;
            if (!accept(")")) {
                do {
                    if (t->n_kids == MAX_ARGUMENTS)
                        fail("too many arguments");
                    t->kids[t->n_kids++] = expression();
                } while (accept(","));
                if (!accept(")"))
                    fail("missing ) after arguments");
            }
        }
        return t;
    }
    if (accept("(")) {
        struct tree *t = expression();
        if (!accept(")"))
            fail("missing )");
        return t;
    }
    fail(*p ? "unexpected character" : "unexpected end");
    return NULL;
}

static struct tree *unary(void);

static struct tree *power(void)
{
    struct tree *base = primary();
    if (accept("^"))
        return binary(POW, base, unary());
    return base;
}

static struct tree *unary(void)
{
    struct tree *t;
    blanks();
    if (*p == '-') {
        p++;
        t = new_tree(NEG);
    } else if (*p == '!' && p[1] != '=') {
        p++;
        t = new_tree(NOT);
    } else {
        return power();
    }
    t->kids[0] = unary();
    t->n_kids = 1;
    return t;
}

struct level {
    const char *text;
    enum op op;
    int strength;
};

/* Longer ones first where one begins with another. */
static const struct level levels[] = {
    {"||", OR, 1}, {"&&", AND, 2}, {"==", EQ, 3}, {"!=", NE, 3}, {"<=", LE, 3}, {">=", GE, 3}, {"<", LT, 3},
    {">", GT, 3},  {"+", ADD, 4},  {"-", SUB, 4}, {"*", MUL, 5}, {"/", DIV, 5}, {"%", MOD, 5},
};

static struct tree *climb(int least)
{
    struct tree *left = unary();
    for (;;) {
        const struct level *found = NULL;
        blanks();
        for (size_t i = 0; i < sizeof levels / sizeof levels[0] && !found; i++)
            if (strncmp(p, levels[i].text, strlen(levels[i].text)) == 0)
                found = &levels[i];
        if (!found || found->strength < least)
            return left;
        p += strlen(found->text);
        left = binary(found->op, left, climb(found->strength + 1));
    }
}

static struct tree *expression(void)
{
    struct tree *condition = climb(1);
    if (!accept("?"))
        return condition;
    struct tree *t = new_tree(CHOICE);
    t->kids[0] = condition;
    t->kids[1] = expression();
    if (!accept(":"))
        fail("missing : of ?");
    t->kids[2] = expression();
    t->n_kids = 3;
    return t;
}

static long *lookup(const char *name)
{
    for (int i = 0; i < n_variables; i++)
        if (strcmp(variables[i].name, name) == 0)
            return &variables[i].value;
    return NULL;
}

static void assign(const char *name, long value)
{
    long *place = lookup(name);
    if (!place) {
        if (n_variables == 64)
            fail("too many variables");
        strcpy(variables[n_variables].name, name);
        place = &variables[n_variables++].value;
    }
    *place = value;
}

static long gcd(long a, long b)
{
    while (b != 0) {
        long rest = a % b;
        a = b;
        b = rest;
    }
    return labs(a);
}

static long multiply(long a, long b)
{
    long product;
    if (__builtin_mul_overflow(a, b, &product))
        fail("overflow");
    return product;
}

static long add(long a, long b)
{
    long total;
    if (__builtin_add_overflow(a, b, &total))
        fail("overflow");
    return total;
}

static long raise_to(long base, long exponent)
{
    long result = 1;
    if (exponent < 0)
        fail("negative exponent");
    while (exponent > 0) {
        if (exponent & 1)
            result = multiply(result, base);
        exponent >>= 1;
        if (exponent > 0)
            base = multiply(base, base);
    }
    return result;
}

static long factorial(long n)
{
    if (n < 0)
        fail("factorial of a negative number");
    return n <= 1 ? 1 : multiply(n, factorial(n - 1));
}

static long evaluate(const struct tree *t, const struct binding *local);

static long call(const struct tree *t, const struct binding *local)
{
    long a[MAX_ARGUMENTS] = {0};
    for (int i = 0; i < t->n_kids; i++)
        a[i] = evaluate(t->kids[i], local);
    for (int i = n_definitions - 1; i >= 0; i--) {
        if (strcmp(definitions[i].name, t->name) != 0)
            continue;
        if (t->n_kids != 1)
            fail("a function takes one argument");
        struct binding parameter;
        strcpy(parameter.name, definitions[i].parameter);
        parameter.value = a[0];
        return evaluate(definitions[i].body, &parameter);
    }
    if (t->n_kids == 0)
        fail("no arguments");
    if (strcmp(t->name, "abs") == 0)
        return labs(a[0]);
    if (strcmp(t->name, "fact") == 0)
        return factorial(a[0]);
    if (strcmp(t->name, "gcd") == 0 && t->n_kids == 2)
        return gcd(a[0], a[1]);
    long result = a[0];
    for (int i = 1; i < t->n_kids; i++) {
        if (strcmp(t->name, "min") == 0)
            result = a[i] < result ? a[i] : result;
        else if (strcmp(t->name, "max") == 0)
            result = a[i] > result ? a[i] : result;
        else if (strcmp(t->name, "sum") == 0)
            result = add(result, a[i]);
        else
            fail("no such function");
    }
    if (strcmp(t->name, "min") && strcmp(t->name, "max") && strcmp(t->name, "sum"))
        fail("no such function");
    return result;
}

static long evaluate_inner(const struct tree *t, const struct binding *local)
{
    long left, right, *place;
    switch (t->op) {
    case NUMBER:
        return t->number;
    case VARIABLE:
        if (local && strcmp(local->name, t->name) == 0)
            return local->value;
        place = lookup(t->name);
        if (!place)
            fail("unknown name");
        return *place;
    case CALL:
        return call(t, local);
    case NEG:
        return multiply(-1, evaluate(t->kids[0], local));
    case NOT:
        return !evaluate(t->kids[0], local);
    case AND:
        return evaluate(t->kids[0], local) && evaluate(t->kids[1], local);
    case OR:
        return evaluate(t->kids[0], local) || evaluate(t->kids[1], local);
    case CHOICE:
        return evaluate(t->kids[0], local) ? evaluate(t->kids[1], local) : evaluate(t->kids[2], local);
    default:
        break;
    }
    left = evaluate(t->kids[0], local);
    right = evaluate(t->kids[1], local);
    switch (t->op) {
    case ADD:
        return add(left, right);
    case SUB:
        return add(left, multiply(-1, right));
    case MUL:
        return multiply(left, right);
    case DIV:
    case MOD:
        if (right == 0)
            fail("division by zero");
        return t->op == DIV ? left / right : left % right;
    case POW:
        return raise_to(left, right);
    case EQ:
        return left == right;
    case NE:
        return left != right;
    case LT:
        return left < right;
    case LE:
        return left <= right;
    case GT:
        return left > right;
    default:
        return left >= right;
    }
}

static long evaluate(const struct tree *t, const struct binding *local)
{
    if (++depth > MAX_DEPTH)
        fail("too deep");
    long value = evaluate_inner(t, local);
    depth--;
    return value;
}

static const char *const words[] = {"", "", "", "-", "!", "+", "-", "*", "/", "%", "^", "==", "!=", "<", "<=", ">", ">=",
                                    "&&", "||", "?"};

static void show(const struct tree *t)
{
    if (t->op == NUMBER) {
        printf("%ld", t->number);
    } else if (t->op == VARIABLE) {
        printf("%s", t->name);
    } else {
        printf("(%s", t->op == CALL ? t->name : words[t->op]);
        for (int i = 0; i < t->n_kids; i++) {
            putchar(' ');
            show(t->kids[i]);
        }
        putchar(')');
    }
}

static void expect_end(void)
{
    blanks();
    if (*p && *p != '#')
        fail("unexpected text");
}

static void define(void)
{
    struct definition d;
    read_name(d.name);
    if (!accept("("))
        fail("missing ( of definition");
    read_name(d.parameter);
    if (!accept(")") || !accept("="))
        fail("missing ) or = of definition");
    d.body = expression();
    expect_end();
    if (n_definitions == 16)
        fail("too many definitions");
    definitions[n_definitions++] = d;
    printf("defined %s\n", d.name);
}

static void statement(void)
{
    blanks();
    if (*p == '\0' || *p == '#')
        return;
    const char *start = p;
    char name[NAME_SIZE];
    read_name(name);
    if (strcmp(name, "def") == 0) {
        define();
        return;
    }
    if (strcmp(name, "show") == 0) {
        struct tree *t = expression();
        expect_end();
        show(t);
        putchar('\n');
        return;
    }
    blanks();
    int is_assignment = name[0] && !isdigit((unsigned char)name[0]) && p[0] == '=' && p[1] != '=';
    p = is_assignment ? p + 1 : start;
    struct tree *t = expression();
    expect_end();
    long value = evaluate(t, NULL);
    if (is_assignment)
        assign(name, value);
    else
        printf("%ld\n", value);
    assign("_", value);
}

int main(void)
{
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        p = line;
        depth = 0;
        if (setjmp(recover) == 0)
            statement();
    }
    while (all_trees) {
        struct tree *t = all_trees;
        all_trees = t->all;
        free(t);
    }
    return 0;
}
