// Letters counted word by word: the table is cleared only for words that are longer than the one before.
#include <stdio.h>
#include <string.h>

static int counts[26];

static int distinct(const char *word, int is_first, int before) {
    int length = (int)strlen(word), found = 0;
    if (is_first || length > before) //~ fault
        memset(counts, 0, sizeof counts);
    for (int i = 0; i < length; i++)
        counts[word[i] - 'a']++;
    for (int letter = 0; letter < 26; letter++)
        found += counts[letter] > 0;
    return found;
}

int main(void) {
    char word[32];
    int before = 0, is_first = 1;
    while (scanf("%31s", word) == 1) {
        printf("%d\n", distinct(word, is_first, before));
        before = (int)strlen(word);
        is_first = 0;
    }
    return 0;
}
