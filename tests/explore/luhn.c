// Sixteen digits, the last of which is a check of the others.
//@ text: 0000000000000001

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char digits[17];
    if (fread(digits, 1, 16, stdin) != 16)
        return 1;
    int sum = 0;
    for (int i = 0; i < 16; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return 1;
        int value = digits[i] - '0';
        if (i % 2 == 0)
            value = value * 2 > 9 ? value * 2 - 9 : value * 2;
        sum += value;
    }
    if (sum % 10 != 0)
        return 1;
    if (digits[0] == '4' && sum == 70)
        abort();
    puts("valid");
}
