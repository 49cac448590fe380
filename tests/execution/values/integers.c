#include <stdint.h>
#include <stdio.h>

int main(void) {
    int x = 1;
    unsigned char small = 250;
    int64_t wide = INT64_MIN;
    uint64_t large = UINT64_MAX;
    __int128 huge = (__int128)1 << 100;
    for (int i = 0; i < 3; i++) { //~ values i: ? 0 1 2
        x = x * -3;               //~ values x: 1 -3 9
        small += 3;               //~ values small: 250 253 0 //~ values after small: 253 0 3
        large -= 1;               //~ values large: 18446744073709551615 18446744073709551614 18446744073709551613
        huge = -huge;             //~ values huge: 1267650600228229401496703205376 -1267650600228229401496703205376 1267650600228229401496703205376
    }
    printf("%d %d\n", x, small); //~ values x: -27 //~ values wide: -9223372036854775808
    return 0;
}
