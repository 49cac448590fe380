/* Counts the words that are longer than three letters. */
#include <stdio.h>
#include <string.h>

struct word {
    char text[32];
    int count;
};

static struct word words[100];
static int used;

static int find(const char *text) {
    for (int i = 0; i < used; i++)
        if (strcmp(words[i].text, text) == 0)
            return i;
    return -1;
}

static void add(const char *text) {
    int at = find(text);
    if (at < 0) {
        at = used++;
        strncpy(words[at].text, text, 31);
    }
    words[at].count++;
}

int main(void) {
    char text[32];
    while (scanf("%31s", text) == 1)
        if (strlen(text) >= 3) //~ fault
            add(text);
    for (int i = 0; i < used; i++)
        printf("%s %d\n", words[i].text, words[i].count);
    return 0;
}
