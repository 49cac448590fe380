// Structures of all sizes, passed and returned by value.
#include <stdio.h>
#include <string.h>

#define SIZED(N)                                                                                                       \
    struct s##N {                                                                                                      \
        unsigned char bytes[N];                                                                                        \
    };                                                                                                                 \
    static struct s##N change##N(int before, struct s##N s, double between, struct s##N t, int after) {                \
        for (int i = 0; i < N; i++) s.bytes[i] = s.bytes[i] * 3 + t.bytes[N - 1 - i] + before + after + (int)between;  \
        memset(&t, 0, sizeof t);                                                                                       \
        return s;                                                                                                      \
    }                                                                                                                  \
    static void try##N(void) {                                                                                         \
        struct s##N s, t;                                                                                              \
        for (int i = 0; i < N; i++) s.bytes[i] = i, t.bytes[i] = 2 * i + 1;                                            \
        s = change##N(1, s, 2.5, change##N(3, t, 4.5, s, 5), 6);                                                       \
        unsigned hash = 0;                                                                                             \
        for (int i = 0; i < N; i++) hash = hash * 31 + s.bytes[i] + t.bytes[i];                                        \
        printf("%d %u\n", N, hash);                                                                                    \
    }

SIZED(1) SIZED(2) SIZED(3) SIZED(4) SIZED(5) SIZED(7) SIZED(8) SIZED(9) SIZED(12) SIZED(15) SIZED(16) SIZED(17)
SIZED(24) SIZED(32) SIZED(33) SIZED(64) SIZED(100) SIZED(1000)

struct empty {};
struct one_float { float f; };
struct two_floats { float f, g; };
struct three_floats { float f, g, h; };
struct float_and_int { float f; int i; };
struct double_and_char { double d; char c; };
struct two_doubles { double d, e; };
struct int_and_double { int i; double d; };
struct three_longs { long a, b, c; };
struct with_pointer { const char *text; int n; };
struct nested { struct two_floats inner; struct float_and_int other[2]; };
struct long_double { long double x; };
struct __attribute__((aligned(64))) aligned { int x; };
union either { int i; double d; char c[12]; };

static struct one_float f1(struct one_float s) { s.f *= 2; return s; }
static struct two_floats f2(struct two_floats s) { float t = s.f; s.f = s.g; s.g = t + 1; return s; }
static struct three_floats f3(struct three_floats s, struct empty e) { s.h += s.f * s.g; return s; }
static struct float_and_int f4(struct float_and_int s) { s.f += s.i; s.i++; return s; }
static struct double_and_char f5(struct double_and_char s) { s.d *= s.c; s.c++; return s; }
static struct two_doubles f6(struct two_doubles s) { s.d -= s.e; return s; }
static struct int_and_double f7(struct int_and_double s) { s.d += s.i--; return s; }
static struct three_longs f8(struct three_longs s) { s.c = s.a + s.b; return s; }
static struct with_pointer f9(struct with_pointer s) { s.text += s.n; return s; }
static struct nested f10(struct nested s) { s.other[1].f = s.inner.f + s.other[0].i; return s; }
static struct long_double f11(struct long_double s) { s.x /= 3; return s; }
static struct aligned f12(struct aligned s) { s.x += (int)((unsigned long)&s % 64) + 1; return s; }
static union either f13(union either u) { u.c[11] = 'z'; u.d += 0.5; return u; }

int main(void) {
    try1(); try2(); try3(); try4(); try5(); try7(); try8(); try9(); try12(); try15(); try16(); try17();
    try24(); try32(); try33(); try64(); try100(); try1000();
    struct empty e;
    printf("%g\n", f1((struct one_float){1.5f}).f);
    printf("%g\n", f2((struct two_floats){1, 2}).g);
    printf("%g\n", f3((struct three_floats){1, 2, 3}, e).h);
    printf("%g\n", f4((struct float_and_int){1.5f, 4}).f);
    printf("%g\n", f5((struct double_and_char){1.25, 4}).d);
    printf("%g\n", f6((struct two_doubles){1, 5}).d);
    printf("%g\n", f7((struct int_and_double){3, 2.5}).d);
    printf("%ld\n", f8((struct three_longs){3, 4, 5}).c);
    printf("%s\n", f9((struct with_pointer){"abcdef", 2}).text);
    printf("%g\n", f10((struct nested){{1, 2}, {{3, 4}, {5, 6}}}).other[1].f);
    printf("%La\n", f11((struct long_double){1}).x);
    printf("%d\n", f12((struct aligned){6}).x);
    printf("%g\n", f13((union either){.d = 2}).d);
    return 0;
}
