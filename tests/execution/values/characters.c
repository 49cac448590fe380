#include <stdio.h>
#include <wchar.h>

int main(void) {
    const char *text = "a\n'";
    char c;
    for (int i = 0; i < 4; i++) {
        c = text[i];
        putchar(c ? c : '.'); //~ values c: 'a' '\n' '\'' '\0'
    }
    signed char number = -5;
    wchar_t wide = L'é';
    c = '\x80';
    printf("%d %d %d\n", number, c, (int)wide); //~ values number: -5 //~ values c: '\200' //~ values wide: 233
    return 0;
}
