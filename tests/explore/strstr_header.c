// A head of several lines is searched for a name.
//@ text: GET / HTTP/1.0\r\nHost: a\r\n\r\n

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char head[128] = {0};
    fread(head, 1, sizeof head - 1, stdin);
    if (strncmp(head, "GET ", 4) != 0 && strncmp(head, "PUT ", 4) != 0)
        return 1;
    char *length = strstr(head, "Length:");
    if (head[0] == 'P' && length) {
        int bytes = atoi(length + 7);
        if (bytes < 0)
            abort();
        printf("%d\n", bytes);
    }
}
