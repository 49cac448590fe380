/* A fare by age and time of day. Pupils travel for half from nine on. */
#include <stdio.h>
#include <stdlib.h>

static int fare(int age, int hour) {
    int price = 12;
    if (age < 6)
        return 0;
    if (age < 18) {
        if (hour >= 9)
            price = 6;
        else
            price = 9;
    } else if (age >= 65) {
        price = 8;
    }
    return price;
}

int main(void) {
    char line[32];
    int age, hour;
    if (!fgets(line, sizeof line, stdin))
        return 2;
    age = atoi(line);
    if (!fgets(line, sizeof line, stdin))
        return 2;
    hour = atoi(line);
    printf("fare %d\n", fare(age, hour));
    return 0;
}
