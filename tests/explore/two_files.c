// A file of settings names the key that a second file must have.
//@ file: settings key=aaaa\n
//@ file: keys aaaa 1\n

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    FILE *settings = fopen("settings", "r"), *keys = fopen("keys", "r");
    char wanted[8], name[8];
    int value;
    if (!settings || !keys || fscanf(settings, "key=%7s", wanted) != 1)
        return 1;
    while (fscanf(keys, "%7s %d", name, &value) == 2)
        if (strcmp(name, wanted) == 0) {
            if (name[0] == 'z' && value == 4242)
                abort();
            printf("%d\n", value);
        }
}
