/* A calculator of one operation, which forgets that nothing can be divided by zero. */
#include <stdio.h>
#include <stdlib.h>

static int compute(int left, char operation, int right) {
    if (operation == '+')
        return left + right;
    if (operation == '-')
        return left - right;
    if (operation == '/') { //~ fault
        return left / right;
    }
    return left * right;
}

int main(void) {
    int left, right;
    char operation;
    if (scanf("%d %c %d", &left, &operation, &right) != 3)
        return 2;
    printf("%d\n", compute(left, operation, right));
    return 0;
}
