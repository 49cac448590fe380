// Characters of several bytes; one of four bytes beyond the last there is.
//@ text: abc

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int c;
    while ((c = getchar()) != EOF) {
        int more = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : -1;
        if (more < 0)
            return 1;
        unsigned code = more == 0 ? c : c & (0x3f >> more);
        for (int i = 0; i < more; i++) {
            int next = getchar();
            if (next == EOF || next >> 6 != 2)
                return 1;
            code = code << 6 | (next & 0x3f);
        }
        static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
        if (code < least[more])
            return 1;
        if (code > 0x10ffff)
            abort();
        printf("%x\n", code);
    }
}
