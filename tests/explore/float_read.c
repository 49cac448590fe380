// A number with a point in it, read by strtod.
//@ text: 1.5\n

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char text[32];
    if (!fgets(text, sizeof text, stdin))
        return 1;
    double value = strtod(text, NULL);
    if (value > 36.6 && value < 36.75)
        abort();
    printf("%g\n", value);
}
