// Variable arguments of every class, in registers and on the stack, copied and passed on.
#include <stdarg.h>
#include <stdio.h>

struct small { int a, b; };
struct mixed { double d; long l; };
struct floats { float x, y, z; };
struct large { long words[5]; };

static long integers(int n, ...) {
    va_list list;
    va_start(list, n);
    long sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 3 + va_arg(list, int);
    va_end(list);
    return sum;
}

static double doubles(int n, ...) {
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    double sum = 0;
    for (int i = 0; i < n; i++) sum = sum / 2 + va_arg(list, double);
    for (int i = 0; i < n / 2; i++) sum -= va_arg(again, double);
    va_end(again);
    va_end(list);
    return sum;
}

static void all(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) switch (*kinds) {
        case 'i': printf("%d ", va_arg(list, int)); break;
        case 'l': printf("%ld ", va_arg(list, long)); break;
        case 'd': printf("%g ", va_arg(list, double)); break;
        case 'L': printf("%Lg ", va_arg(list, long double)); break;
        case 's': printf("%s ", va_arg(list, char *)); break;
        case 'q': printf("%d ", (int)(va_arg(list, __int128) >> 90)); break;
        case 'S': { struct small s = va_arg(list, struct small); printf("{%d %d} ", s.a, s.b); break; }
        case 'M': { struct mixed m = va_arg(list, struct mixed); printf("{%g %ld} ", m.d, m.l); break; }
        case 'F': { struct floats f = va_arg(list, struct floats); printf("{%g %g %g} ", f.x, f.y, f.z); break; }
        case 'B': { struct large b = va_arg(list, struct large); printf("{%ld %ld} ", b.words[0], b.words[4]); break; }
    }
    va_end(list);
    printf("\n");
}

static int formatted(char *out, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(out, size, format, list);
    va_end(list);
    return n;
}

static long through_pointer(va_list *list) { return va_arg(*list, long); }
static long indirect(int n, ...) {
    va_list list;
    va_start(list, n);
    long sum = 0;
    while (n-- > 0) sum = sum * 10 + through_pointer(&list);
    va_end(list);
    return sum;
}

int main(void) {
    printf("%ld %ld\n", integers(0), integers(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    printf("%a\n", doubles(11, 1.0, 2.5, 3.0, 4.5, 5.0, 6.5, 7.0, 8.5, 9.0, 10.5, 11.0));
    struct small s = {1, 2};
    struct mixed m = {2.5, 3};
    struct floats f = {1, 2, 3};
    struct large b = {{4, 5, 6, 7, 8}};
    all("ildLsSMFBiqdLMFSBl", 1, 2L, 3.5, 4.5L, "five", s, m, f, b, 6, (__int128)5 << 90, 7.5, 8.5L, m, f, s, b, 9L);
    char text[100];
    int n = formatted(text, sizeof text, "%d-%s-%.3f-%Lg-%c-%lx", -5, "str", 2.0 / 3, 1.25L, 'c', 255L);
    printf("%d %s\n", n, text);
    printf("%ld\n", indirect(8, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L));
    return 0;
}
