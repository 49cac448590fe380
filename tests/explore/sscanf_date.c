// A date in three numbers; the day before the first of March needs the length of February.
//@ text: 2021-05-17

#include <assert.h>
#include <stdio.h>

int main(void) {
    char text[40];
    int year, month, day;
    if (!fgets(text, sizeof text, stdin) || sscanf(text, "%d-%d-%d", &year, &month, &day) != 3)
        return 1;
    if (month < 1 || month > 12 || day < 1 || day > 31 || year < 1583 || year > 2999)
        return 1;
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (day > lengths[month - 1]) {
        int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        assert(month != 2 || day != 29 || is_leap || year % 100 != 0);
        return 1;
    }
    printf("%d\n", day);
}
