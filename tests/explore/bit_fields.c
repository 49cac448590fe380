// The head of a packet, in fields of a few bits.
//@ text: ........

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct head {
    unsigned version : 4;
    unsigned length : 4;
    unsigned kind : 6;
    unsigned is_urgent : 1;
    unsigned is_last : 1;
    unsigned fragment : 13;
    unsigned flags : 3;
};

int main(void) {
    struct head head;
    if (fread(&head, sizeof head, 1, stdin) != 1)
        return 1;
    if (head.version != 4 || head.length < 5)
        return 1;
    if (head.is_urgent && !head.is_last && head.fragment * 8 > 65000 && head.flags == 5)
        abort();
    printf("%d\n", head.kind);
}
