// Reads settings, and divides by what is left of the height. Some settings leave nothing.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    char name[16];
    int value;
};

static int parse(char *line, struct setting *setting) {
    char *equals = strchr(line, '=');
    if (!equals)
        return 0;
    *equals = 0;
    for (char *at = line; *at; at++)
        if (!isalpha((unsigned char)*at))
            return 0;
    snprintf(setting->name, sizeof setting->name, "%s", line);
    setting->value = atoi(equals + 1);
    return 1;
}

int main(void) {
    char line[256];
    int border = 0, height = 10;
    struct setting setting;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!parse(line, &setting))
            continue;
        if (strcmp(setting.name, "border") == 0)
            border = setting.value;
        if (strcmp(setting.name, "height") == 0)
            height = setting.value;
    }
    printf("%d\n", 1000 / (height - border * 2));
}
