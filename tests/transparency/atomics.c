//@ flags: -mcx16
// Atomic operations: C11, the older builtins, sizes from one byte to sixteen.
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int counter;
static atomic_uchar byte;
static _Atomic long wide = 5;
static _Atomic(int *) pointer;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic double real = 1.5;
static __int128 sixteen = 9;
struct pair {
    int a, b;
};
static _Atomic struct pair pair;
static int array[4] = {10, 20, 30, 40};
static int old_style;

int main(void) {
    printf("%d %d\n", atomic_fetch_add(&counter, 7), atomic_load(&counter));
    printf("%d %d\n", atomic_fetch_sub_explicit(&counter, 2, memory_order_relaxed), counter);
    printf("%d %d %d\n", atomic_fetch_and(&counter, 6), atomic_fetch_or(&counter, 9), atomic_fetch_xor(&counter, 3));
    printf("%d %d\n", atomic_exchange(&counter, 100), counter);
    int expected = 99;
    printf("%d", atomic_compare_exchange_strong(&counter, &expected, 1));
    printf(" %d ", expected);
    while (!atomic_compare_exchange_weak(&counter, &expected, 42)) {
    }
    printf("%d\n", counter);
    byte = 250;
    byte += 10;
    printf("%d\n", byte);
    wide *= 3;
    wide <<= 40;
    printf("%ld\n", wide);
    atomic_store(&pointer, array);
    atomic_fetch_add(&pointer, 2);
    pointer++;
    printf("%d\n", *atomic_load(&pointer));
    printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    real += 2.25;
    real *= real;
    printf("%a\n", real);
    struct pair p = {1, 2}, q = {3, 4};
    atomic_store(&pair, p);
    printf("%d", atomic_compare_exchange_strong(&pair, &p, q));
    p = atomic_load(&pair);
    printf(" %d %d\n", p.a, p.b);
    __sync_fetch_and_add(&old_style, 5);
    printf("%d %d\n", __sync_lock_test_and_set(&old_style, 8), __sync_bool_compare_and_swap(&old_style, 8, 9));
    printf("%d %d\n", __atomic_fetch_nand(&old_style, 12, __ATOMIC_SEQ_CST), __atomic_max_fetch(&old_style, 3, __ATOMIC_RELAXED));
    __int128 before = __sync_val_compare_and_swap(&sixteen, 9, ((__int128)1 << 100) + 3);
    printf("%d %d %d\n", (int)before, (int)(sixteen >> 100), (int)sixteen);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    return 0;
}
