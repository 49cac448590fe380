// Width times height may be too much for a number of 32 bits.
//@ text: P5 2 3 255\n......

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned width, height, most;
    if (scanf("P5 %u %u %u", &width, &height, &most) != 3 || width == 0 || height == 0 || most != 255)
        return 1;
    if (width > 100000 || height > 100000)
        return 1;
    unsigned area = width * height;
    if (area < width) {
        volatile char *pixels = NULL;
        pixels[0] = 1;
    }
    printf("%u\n", area);
}
