/* Fields of comma-separated lines, one a line; in quotes, a comma is a letter, and two quotes are one. */
#include <stdio.h>

static void put_fields(const char *line) {
    int is_quoted = 0;
    putchar('<');
    for (const char *at = line; *at != 0 && *at != '\n'; at++) {
        if (*at == '"') {
            if (!is_quoted && at[1] == '"') { //~ fault
                putchar('"');
                at++;
            } else {
                is_quoted = !is_quoted;
            }
        } else if (*at == ',' && !is_quoted) {
            printf(">\n<");
        } else {
            putchar(*at);
        }
    }
    printf(">\n");
}

int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL)
        put_fields(line);
    return 0;
}
