// A protocol: what may be said depends on what was said before.
//@ text: hq

#include <stdio.h>
#include <stdlib.h>

enum state { START, GREETED, NAMED, PAID, SHIPPED };

int main(void) {
    enum state state = START;
    int c;
    while ((c = getchar()) != EOF)
        switch (state) {
        case START:
            state = c == 'h' ? GREETED : START;
            break;
        case GREETED:
            state = c == 'n' ? NAMED : c == 'q' ? START : GREETED;
            break;
        case NAMED:
            state = c == '$' ? PAID : c == 'q' ? START : NAMED;
            break;
        case PAID:
            state = c == 's' ? SHIPPED : PAID;
            break;
        case SHIPPED:
            if (c == 'c')
                abort();
            state = START;
            break;
        }
    printf("%d\n", state);
}
