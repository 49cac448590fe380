/* Reads dates and prints which day of its year each one is. */
#include <stdio.h>

static int is_leap(int year) {
    if (year % 100 == 0)
        return 0;
    return year % 4 == 0;
}

static int days_in(int month, int year) {
    switch (month) {
    case 2:
        return is_leap(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
        return 30;
    default:
        return 31;
    }
}

static int day_of_year(int year, int month, int day) {
    int number = day;
    for (int before = 1; before < month; before++)
        number += days_in(before, year);
    return number;
}

int main(void) {
    int year, month, day;
    while (scanf("%d-%d-%d", &year, &month, &day) == 3)
        printf("%04d-%02d-%02d is day %d\n", year, month, day, day_of_year(year, month, day));
    return 0;
}
