/* Reads a Roman number and prints it in digits. A smaller letter before a larger one is taken away, but not of tens. */
#include <stdio.h>

static int value(int letter) {
    switch (letter) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    default: return 0;
    }
}

int main(void) {
    char letters[32];
    int count = 0, total = 0, c;
    while (count < 31 && (c = getchar()) != EOF && value(c) > 0)
        letters[count++] = (char)c;
    for (int at = 0; at < count; at++) {
        int here = value(letters[at]);
        int next = at + 1 < count ? value(letters[at + 1]) : 0;
        if (here == 1 && next > here)
            total -= here;
        else if (here == 10 && next > here)
            total += here; //~ fault within 3
        else
            total += here;
    }
    printf("%d\n", total);
    return 0;
}
