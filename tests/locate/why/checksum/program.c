/* Adler's checksum of each line. */
#include <stdio.h>
#include <string.h>

static unsigned adler(const char *text) {
    unsigned a = 0, b = 0; //~ fault within 3
    for (size_t i = 0; i < strlen(text); i++) {
        a = (a + (unsigned char)text[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        printf("%08x\n", adler(line));
    }
    return 0;
}
