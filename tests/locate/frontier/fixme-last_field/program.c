/* Prints the last field of each line. */
#include <stdio.h>
#include <string.h>

static char *last_field(char *line, char separator)
{
    char *found = NULL; //~ fault within 2
    for (char *at = line; *at; at++)
        if (*at == separator)
            found = at + 1;
    return found;
}

int main(void)
{
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *field = last_field(line, ':');
        printf("%c\n", field[0]);
    }
    return 0;
}
