// Commands and their abbreviations; one of them is carried out without an argument.
//@ text: list all\n

#include <stdio.h>
#include <string.h>

int main(void) {
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *argument = strchr(line, ' ');
        if (argument)
            *argument++ = 0;
        if (strncmp(line, "list", 4) == 0)
            puts("listed");
        else if (strncmp(line, "remove", 6) == 0)
            printf("removed %c\n", *argument);
        else
            puts("?");
    }
}
