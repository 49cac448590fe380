// Statement expressions, typeof, cleanup, ranges, labels in blocks, conditional with an omitted operand, _Generic.
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) x = (a); __typeof__(b) y = (b); x > y ? x : y; })
#define KIND(x) _Generic((x), int: "int", double: "double", char *: "text", default: "other")

static void goodbye(int *x) { printf("cleanup %d\n", *x); }

static int search(int grid[3][3], int what) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int here __attribute__((cleanup(goodbye))) = grid[i][j];
            if (here == what) goto found;
        }
    return -1;
found:
    return 1;
}

static int fallback(void) { puts("fallback"); return 7; }

int main(void) {
    int grid[3][3] = {[0 ... 1] = {1, 2, 3}, {4, 5, 6}};
    printf("%d\n", search(grid, 2));
    int i = 3;
    printf("%d %g\n", MAX(i++, 2), MAX(1.5, i));
    printf("%d %d\n", i ?: fallback(), 0 ?: fallback());
    printf("%s %s %s %s\n", KIND(1), KIND(1.0), KIND("x"), KIND(1L));
    int value = ({
        int total = 0;
        for (int k = 0; k < 5; k++) {
            if (k == 3) continue;
            total += k;
        }
        total;
    });
    printf("%d %d\n", value, __builtin_choose_expr(1, 10, "no"));
    if (value) goto inner;
    puts("not reached");
inner:
    printf("%d\n", __builtin_constant_p(3) + __builtin_expect(value, 7));
    long wide = 1;
    wide <<= i, wide += i > 2 ? -i : i;
    printf("%ld %d\n", wide, (i && !wide) || (i & 4));
    return 0;
}
