// A compressor's header: the flag that says that the original name follows is not set, since the option for it was
// decided wrongly, far away. Shaped as figure 1 of "Towards Locating Execution Omission Errors".
#include <stdio.h>
#include <string.h>

enum { DEFLATED = 8, ORIG_NAME = 8 };

static unsigned char outbuf[64];
static int outcnt;
static int save_orig_name;

static void options(const char *words) {
    save_orig_name = strstr(words, "-N ") != NULL; //~ fault
}

int main(void) {
    char words[80] = "";
    if (!fgets(words, sizeof words, stdin))
        return 1;
    options(words);
    int flags = 0;
    outcnt = 1;
    outbuf[0] = DEFLATED;
    if (save_orig_name)
        flags |= ORIG_NAME;
    outbuf[outcnt] = flags;
    if (save_orig_name)
        outbuf[outcnt + 1] = 'n';
    printf("method %d\n", outbuf[0]);
    printf("flags %d\n", outbuf[1]);
    return 0;
}
