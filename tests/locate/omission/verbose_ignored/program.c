// An option that is spelt in another way is ignored: the heading that it asks for is not printed.
#include <stdio.h>
#include <string.h>

static int wants_heading, wants_sum;

static void option(const char *word) {
    if (strcmp(word, "sum") == 0)
        wants_sum = 1;
    if (strcmp(word, "Heading") == 0) //~ fault
        wants_heading = 1;
}

int main(void) {
    char word[32];
    int numbers[32], count = 0, value;
    while (scanf("%31s", word) == 1 && strcmp(word, "--") != 0)
        option(word);
    while (count < 32 && scanf("%d", &value) == 1)
        numbers[count++] = value;
    printf("%d numbers\n", count);
    if (wants_heading)
        printf("sum\n");
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += numbers[i];
    if (wants_sum)
        printf("%d\n", sum);
    return 0;
}
