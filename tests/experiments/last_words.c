// Each condition, were it true, would say something and then end the program before that is written.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int depth;

static int deeper(int n) {
    volatile char room[4096];
    room[0] = (char)n;
    depth++;
    return n < 0 ? n : deeper(n + 1) + room[0];
}

int main(void) {
    int way = getchar();
    volatile int *nowhere = NULL;
    printf("first\n");
    if (way == '1') {
        printf("second\n");
        *nowhere = 1;
    }
    if (way == '2') {
        printf("second\n");
        abort();
    }
    if (way == '3') {
        printf("second\n");
        raise(SIGSEGV);
    }
    if (way == '4') {
        printf("second\n");
        deeper(0);
    }
    if (way == '5') {
        printf("second\n");
        while (way)
            depth ^= 1;
    }
    return 0;
}
