/* Sums the amounts of each customer; the records are sorted. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char name[20], last[20] = "";
    int amount, total = 0, records = 0;
    while (scanf("%19s %d", name, &amount) == 2) {
        if (strcmp(name, last) != 0) {
            if (records > 0)
                printf("%s: %d\n", last, total);
            strcpy(last, name);
            /* total should be set to 0 here */
        }
        total = total + amount; //~ fault within 2
        records = records + 1;
    }
    if (records > 0)
        printf("%s: %d\n", last, total);
    return 0;
}
