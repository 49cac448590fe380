/* How many boxes fit on a shelf, and what is left of it. */
#include <stdio.h>

static int usable(int width, int margin)
{
    int both = margin; //~ fault within 2
    int inner = width - both;
    return inner > 0 ? inner : 0;
}

static int boxes(int room, int size)
{
    int count = 0;
    while (room >= size) {
        room = room - size;
        count = count + 1;
    }
    return count;
}

int main(void)
{
    int width, margin, size;
    scanf("%d %d %d", &width, &margin, &size);
    int room = usable(width, margin);
    int count = boxes(room, size);
    int rest = room - count * size;
    printf("%d boxes\n", count);
    printf("%d left\n", rest);
    return 0;
}
