// A command that prints a line: without arguments it should print an empty one, but whether to end the line is decided
// wrongly to begin with.
#include <stdio.h>
#include <string.h>

static int is_quiet;

static void echo(const char *words) {
    int ends_line = 0; //~ fault within 5
    while (*words != '\0') {
        putchar(*words);
        ends_line = 1;
        words++;
    }
    if (ends_line && !is_quiet)
        putchar('\n');
}

int main(void) {
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        echo(line);
    }
    printf("end\n");
    return 0;
}
