/* The number of a day in its year. */
#include <stdio.h>

static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int is_leap(int year) {
    if (year % 4 != 0)
        return 0;
    if (year % 100 == 0) //~ fault
        return 0;
    return 1;
}

static int day_of_year(int year, int month, int day) {
    int number = day;
    for (int m = 1; m < month; m++) {
        number += lengths[m - 1];
        if (m == 2 && is_leap(year))
            number++;
    }
    return number;
}

int main(void) {
    int year, month, day;
    while (scanf("%d-%d-%d", &year, &month, &day) == 3)
        printf("%d\n", day_of_year(year, month, day));
    return 0;
}
