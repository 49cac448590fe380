/* A calculator: numbers, + - * /, brackets. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static long numbers[64];
static char operators[64];
static int number_count, operator_count;

static int precedence(char operator) { return operator == '+' || operator == '-' ? 1 : operator == '(' ? 0 : 2; }

static void apply(void) {
    long b = numbers[--number_count], a = numbers[--number_count];
    switch (operators[--operator_count]) {
    case '+': a += b; break;
    case '-': a -= b; break;
    case '*': a *= b; break;
    case '/': a = b == 0 ? 0 : a / b; break;
    }
    numbers[number_count++] = a;
}

static long evaluate(const char *text) {
    number_count = operator_count = 0;
    while (*text != 0 && *text != '\n') {
        if (isdigit((unsigned char)*text)) {
            char *end;
            numbers[number_count++] = strtol(text, &end, 10);
            text = end;
            continue;
        }
        if (*text == '(') {
            operators[operator_count++] = '(';
        } else if (*text == ')') {
            while (operators[operator_count - 1] != '(')
                apply();
            operator_count--;
        } else if (*text != ' ') {
            while (operator_count > 0 && precedence(operators[operator_count - 1]) > precedence(*text)) //~ fault
                apply();
            operators[operator_count++] = *text;
        }
        text++;
    }
    while (operator_count > 0)
        apply();
    return numbers[0];
}

int main(void) {
    char line[128];
    while (fgets(line, sizeof line, stdin) != NULL)
        printf("%ld\n", evaluate(line));
    return 0;
}
