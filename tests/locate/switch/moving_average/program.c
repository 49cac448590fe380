/* The mean of the last three numbers, once there are three. */
#include <stdio.h>

int main(void) {
    int last[3] = {0}, count = 0, value, sum = 0;
    while (scanf("%d", &value) == 1) {
        sum += value - last[count % 3];
        last[count % 3] = value;
        count++;
        if (count >= 2) //~ fault
            printf("%d\n", sum / 3);
    }
    return 0;
}
