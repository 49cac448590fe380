// Weak symbols, aliases, and functions chosen by a resolver when the program is loaded.
#include <stdio.h>

int original(int x) { return x + 1; }
int renamed(int) __attribute__((alias("original")));
int soft(int) __attribute__((weak, alias("original")));
extern int absent(int) __attribute__((weak));
__attribute__((weak)) int overridable(void) { return 3; }

int variable = 5;
extern int other_name __attribute__((alias("variable")));

static int fast(int x) { return x * 2; }
static int slow(int x) { return x * 3; }
static int (*resolve(void))(int) { return sizeof(long) == 8 ? fast : slow; }
int chosen(int) __attribute__((ifunc("resolve")));

static inline __attribute__((always_inline)) int inlined(int x) { return x ^ 0x55; }
extern inline __attribute__((gnu_inline)) int only_inline(int x) { return x - 1; }
int only_inline(int x) { return x - 1; }

int main(void) {
    printf("%d %d %d\n", original(1), renamed(2), soft(3));
    printf("%d %d\n", absent != 0, absent ? absent(1) : -1);
    printf("%d\n", overridable());
    other_name += 2;
    printf("%d\n", variable);
    int (*pointer)(int) = chosen;
    printf("%d %d %d\n", chosen(10), pointer(20), pointer == chosen);
    printf("%d %d\n", inlined(3), only_inline(9));
    return 0;
}
