// switch: dense, sparse, ranges, 64 bits, characters, fall through, Duff's device, default in the middle.
#include <stdio.h>

static int dense(int x) {
    switch (x) {
    case 0: return 5;
    case 1: return 3;
    case 2:
    case 3: x += 10;
    case 4: return x;
    default: x = -x; break;
    case 5: return 99;
    }
    return x;
}

static int sparse(long x) {
    switch (x) {
    case -1000000000000: return 1;
    case -1: return 2;
    case 1L << 40: return 3;
    case 7 ... 70: return 4;
    case 'a' ... 'z': return 5;
    }
    return 0;
}

static int small(signed char c) {
    switch (c) {
    case -128: return 1;
    case -1: return 2;
    case 127: return 3;
    }
    return 0;
}

static void duff(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
        } while (--n > 0);
    }
    *to = 0;
}

static int nothing(int x) {
    switch (x) {
    }
    switch (x) {
    default: x++;
    }
    return x;
}

enum colour { red, green = 5, blue };
static const char *name(enum colour c) {
    switch (c) {
    case red: return "red";
    case green: return "green";
    case blue: return "blue";
    }
    return "other";
}

int main(void) {
    for (int i = -2; i < 8; i++) printf("%d ", dense(i));
    long values[] = {-1000000000000, -1, 0, 1L << 40, 6, 7, 70, 71, 'a', 'z', '{'};
    for (int i = 0; i < 11; i++) printf("%d ", sparse(values[i]));
    printf("%d %d %d %d\n", small(-128), small(-1), small(127), small(0));
    char out[20];
    duff(out, "hello, world", 11);
    printf("%s %d\n", out, nothing(4));
    for (int i = 0; i < 8; i++) printf("%s ", name((enum colour)i));
    printf("\n");
    return 0;
}
