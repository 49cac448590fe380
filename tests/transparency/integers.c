// Integer arithmetic at every width, with values the compiler cannot know.
#include <stdint.h>
#include <stdio.h>

static unsigned long long state = 88172645463325252ULL;
static unsigned long long next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

#define TRY(T, U, FORMAT)                                                                                              \
    static void try_##T(void) {                                                                                        \
        U sum = 0;                                                                                                     \
        for (int i = 0; i < 200; i++) {                                                                                \
            T a = (T)next(), b = (T)next();                                                                            \
            int n = (int)(next() % (8 * sizeof(T)));                                                                   \
            sum = (U)(sum * 31 + (U)((U)a + (U)b));                                                                    \
            sum = (U)(sum * 31 + (U)((U)a - (U)b));                                                                    \
            sum = (U)(sum * 31 + (U)((unsigned long long)(U)a * (U)b));                                                \
            if (b != 0 && b != (T)-1) sum = (U)(sum * 31 + (U)(a / b) + (U)(a % b));                                   \
            sum = (U)(sum * 31 + (U)((U)a << n));                                                                      \
            sum = (U)(sum * 31 + (U)(a >> n));                                                                         \
            sum = (U)(sum * 31 + (U)(a & b) + (U)(a | b) + (U)(a ^ b) + (U)~a + (U) !a);                               \
            sum = (U)(sum * 31 + (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a > b) + 16 * (a >= b) + 32 * (a != b)); \
            sum = (U)(sum * 31 + (U)(int8_t)a + (U)(uint16_t)b + (U)(int64_t)a);                                       \
        }                                                                                                              \
        printf(#T " " FORMAT "\n", sum);                                                                               \
    }

TRY(int8_t, uint8_t, "%u")
TRY(uint8_t, uint8_t, "%u")
TRY(int16_t, uint16_t, "%u")
TRY(uint16_t, uint16_t, "%u")
TRY(int32_t, uint32_t, "%u")
TRY(uint32_t, uint32_t, "%u")
TRY(int64_t, uint64_t, "%lu")
TRY(uint64_t, uint64_t, "%lu")

int main(void) {
    try_int8_t();
    try_uint8_t();
    try_int16_t();
    try_uint16_t();
    try_int32_t();
    try_uint32_t();
    try_int64_t();
    try_uint64_t();
    _Bool b = next() & 2;
    b++;
    b ^= 1;
    printf("%d %d\n", b, (int)sizeof(b));
    return 0;
}
