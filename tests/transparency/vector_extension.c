// clang's vector types: arithmetic, comparison, shuffles, elements, conversion, arguments.
#include <stdio.h>
#include <string.h>

typedef int v4i __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef unsigned char v16c __attribute__((vector_size(16)));
typedef long v4l __attribute__((vector_size(32)));
typedef float f3 __attribute__((ext_vector_type(3)));

static v4i combine(v4i a, v4i b, int n) {
    v4i r = a * b + n;
    r[n & 3] -= 100;
    return (r << 1) ^ (a >> 2);
}

static void show(const char *what, v4i v) { printf("%s %d %d %d %d\n", what, v[0], v[1], v[2], v[3]); }

int main(void) {
    v4i a = {1, -2, 3, 40000}, b = {7, 9, -11, 13};
    for (int i = 0; i < 6; i++) {
        a = combine(a, b, i);
        b = b + (v4i){i, 1, i, 2};
    }
    show("combined", a);
    show("less", a < b);
    show("select", ((a < b) & a) | (~(a < b) & b));
    show("shuffle", __builtin_shufflevector(a, b, 3, 4, 0, 7));
    show("division", a / (b | 1));
    v4f f = __builtin_convertvector(a, v4f) * 0.25f + 1.0f;
    printf("%a %a %a %a\n", f[0], f[1], f[2], f[3]);
    show("back", __builtin_convertvector(f, v4i));
    v2d d = {1.5, -2.5};
    d = d * d - (v2d){0.1, 0.2};
    printf("%a %a\n", d[0], d[1]);
    v16c c;
    memcpy(&c, &a, sizeof c);
    c += (v16c){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    int sum = 0;
    for (int i = 0; i < 16; i++) sum = sum * 3 + c[i];
    printf("%d\n", sum);
    v4l l = {1L << 40, 2, -3, 4};
    l = l * 3 + __builtin_convertvector(a, v4l);
    printf("%ld %ld %ld %ld\n", l[0], l[1], l[2], l[3]);
    f3 p = {1, 2, 3};
    p.xz = p.zy * 2.0f;
    printf("%a %a %a\n", p.x, p.y, p.z);
    return 0;
}
