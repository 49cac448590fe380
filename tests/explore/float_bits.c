// Floating point numbers as they lie in a file: one of them is none.
//@ text: \0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f

#include <stdio.h>
#include <stdlib.h>

int main(void) {
    float values[3];
    if (fread(values, sizeof(float), 3, stdin) != 3)
        return 1;
    if (!(values[0] < 100.0f) || values[0] <= 50.0f)
        return 1;
    if (values[1] != values[1] && values[2] < -1e30f)
        abort();
    puts("numbers");
}
