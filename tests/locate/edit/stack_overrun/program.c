/* A calculator for sums in postfix notation, whose stack is let grow over its end into the number of its elements. */
#include <stdio.h>
#include <stdlib.h>

#define DEPTH 4

static struct {
    int slots[DEPTH];
    int top;
    int *last;
} stack;

static void push(int value) {
    if (stack.top <= DEPTH) { //~ fault
        stack.slots[stack.top] = value;
        stack.top++;
        stack.last = &stack.slots[stack.top - 1];
    }
}

static int pop(void) {
    int value = stack.top > 0 ? *stack.last : 0;
    if (stack.top > 0)
        stack.top--;
    stack.last = stack.top > 0 ? &stack.slots[stack.top - 1] : NULL;
    return value;
}

int main(void) {
    char word[32];
    while (scanf("%31s", word) == 1) {
        if (word[0] == '+') {
            int b = pop(), a = pop();
            push(a + b);
        } else {
            push(atoi(word));
        }
    }
    printf("%d\n", pop());
    return 0;
}
