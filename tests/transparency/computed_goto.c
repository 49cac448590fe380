// Labels as values: a small interpreter, and labels in a table of differences.
#include <stdio.h>

static long run(const unsigned char *code) {
    static void *const table[] = {&&stop, &&push, &&add, &&mul, &&dup, &&jump_if_less};
    long stack[16];
    int top = 0, at = 0;
    goto *table[code[at++]];
push:
    stack[top++] = code[at++];
    goto *table[code[at++]];
add:
    top--;
    stack[top - 1] += stack[top];
    goto *table[code[at++]];
mul:
    top--;
    stack[top - 1] *= stack[top];
    goto *table[code[at++]];
dup:
    stack[top] = stack[top - 1];
    top++;
    goto *table[code[at++]];
jump_if_less: {
    int limit = code[at++], to = code[at++];
    if (stack[top - 1] < limit) at = to;
    goto *table[code[at++]];
}
stop:
    return stack[top - 1];
}

static int steps(int n) {
    static const int offsets[] = {&&a - &&a, &&b - &&a, &&c - &&a};
    int count = 0;
next:
    if (n == 0) return count;
    goto *(&&a + offsets[n % 3]);
a:
    count += 1;
    n--;
    goto next;
b:
    count += 10;
    n -= 1;
    goto next;
c:
    count += 100;
    n -= 2;
    goto next;
}

int main(void) {
    unsigned char code[] = {1, 2, 4, 3, 1, 3, 2, 5, 200, 2, 0};
    printf("%ld %d\n", run(code), steps(50));
    return 0;
}
