/* Loops, recursion, a switch, short-circuit conditions, a handler of a raised signal, setjmp: predicates of every kind. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t signals;
static jmp_buf again;

static void count(int number) {
    if (number == SIGUSR1)
        signals++;
}

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static const char *name(int day) {
    switch (day % 4) {
    case 0: return "north";
    case 1: return "east";
    case 2: return "south";
    default: return "west";
    }
}

int main(void) {
    signal(SIGUSR1, count);
    volatile int rounds = 0;
    int numbers[] = {5, 3, 9, 1};
    qsort(numbers, 4, sizeof *numbers, by_value);
    for (int i = 0; i < 4; i++) {
        if (numbers[i] > 2 && numbers[i] < 8)
            printf("%s %d\n", name(numbers[i]), fibonacci(numbers[i]));
        if (i == 2)
            raise(SIGUSR1);
    }
    if (setjmp(again) < 3 && rounds < 3) {
        rounds++;
        longjmp(again, rounds);
    }
    char *text = malloc(32);
    if (text == NULL)
        return 3;
    snprintf(text, 32, "%d rounds, %d signals", rounds, (int)signals);
    puts(text);
    if (strlen(text) > 4)
        abort();
    return 0;
}
