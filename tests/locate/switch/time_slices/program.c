/* Jobs in turn, each for a slice of time; tells when each is done. */
#include <stdio.h>

struct job {
    char name[16];
    int left;
};

int main(void) {
    struct job jobs[16];
    int count = 0, slice = 3, now = 0, done = 0;
    while (count < 16 && scanf("%15s %d", jobs[count].name, &jobs[count].left) == 2)
        count++;
    while (done < count) {
        for (int i = 0; i < count; i++) {
            if (jobs[i].left == 0)
                continue;
            if (jobs[i].left >= slice) { //~ fault
                jobs[i].left -= slice;
                now += slice;
            } else {
                now += jobs[i].left;
                jobs[i].left = 0;
                done++;
                printf("%s at %d\n", jobs[i].name, now);
            }
            if (now > 1000)
                return 1;
        }
        int is_idle = 1;
        for (int i = 0; i < count; i++)
            is_idle = is_idle && jobs[i].left == 0;
        if (is_idle)
            break;
    }
    printf("%d jobs in %d\n", done, now);
    return 0;
}
