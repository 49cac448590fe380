/* A calculator in reverse notation. Exchanging two numbers takes them off the stack without asking whether there are two. */
#include <assert.h>
#include <stdio.h>

static int stack[16];
static int height;

static void push(int value) {
    if (height < 16)
        stack[height++] = value;
}

static int pop(void) {
    assert(height > 0);
    return stack[--height];
}

static void exchange(void) {
    int a = pop(); //~ fault within 3
    int b = pop();
    push(a);
    push(b);
}

static void add(void) {
    if (height < 2) {
        puts("too few");
        return;
    }
    push(pop() + pop());
}

static void duplicate(void) {
    if (height == 0) {
        puts("too few");
        return;
    }
    int top = pop();
    push(top);
    push(top);
}

static void show(void) {
    if (height > 0)
        printf("%d\n", stack[height - 1]);
    else
        puts("empty");
}

int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        switch (c) {
        case '+':
            add();
            break;
        case 'd':
            duplicate();
            break;
        case 'x':
            exchange();
            break;
        case 'p':
            show();
            break;
        default:
            if (c >= '0' && c <= '9')
                push(c - '0');
            break;
        }
    }
    return 0;
}
