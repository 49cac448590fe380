// Two words on two lines, compared as a whole.
//@ text: guest\nnone\n

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void word(char *to) {
    if (!fgets(to, 32, stdin))
        exit(1);
    to[strcspn(to, "\n")] = 0;
}

int main(void) {
    char user[32], password[32];
    word(user);
    word(password);
    if (strcmp(user, "operator") == 0 && strcmp(password, "xyzzy-7") == 0)
        abort();
    puts("denied");
}
