// Wide and Unicode literals and their functions.
#include <stdio.h>
#include <uchar.h>
#include <wchar.h>

int main(void) {
    const wchar_t *wide = L"wide \u00e4\U0001f600";
    const char *utf8 = u8"\u00e4\u20ac";
    const char16_t sixteen[] = u"\U0001f600x";
    const char32_t thirty_two[] = U"\U0001f600x";
    int sum = 0;
    for (const wchar_t *w = wide; *w; w++) sum = sum * 31 + *w;
    for (const char *c = utf8; *c; c++) sum = sum * 31 + *c;
    printf("%d %zu %zu %zu\n", sum, wcslen(wide), sizeof sixteen / 2, sizeof thirty_two / 4);
    wchar_t buffer[20];
    swprintf(buffer, 20, L"%d-%ls", 7, L"x");
    printf("%d %d\n", (int)buffer[0], wcscmp(buffer, L"7-x"));
    return 0;
}
