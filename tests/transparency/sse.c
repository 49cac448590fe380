// Intrinsics of the processor.
#include <emmintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t bytes[64];

static int sum_of_bytes(const uint8_t *p, int n) {
    __m128i total = _mm_setzero_si128();
    for (int i = 0; i < n; i += 16)
        total = _mm_add_epi64(total, _mm_sad_epu8(_mm_loadu_si128((const __m128i *)(p + i)), _mm_setzero_si128()));
    return _mm_cvtsi128_si32(total) + _mm_cvtsi128_si32(_mm_srli_si128(total, 8));
}

__attribute__((target("avx2"))) static int wide_sum(const uint8_t *p) {
    typedef long long v4 __attribute__((vector_size(32)));
    v4 v;
    __builtin_memcpy(&v, p, 32);
    v = v + v;
    return (int)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}

int main(void) {
    for (int i = 0; i < 64; i++) bytes[i] = (uint8_t)(i * 37 + 11);
    printf("%d\n", sum_of_bytes(bytes, 64));
    __m128i a = _mm_loadu_si128((const __m128i *)bytes), b = _mm_loadu_si128((const __m128i *)(bytes + 16));
    printf("%x %x\n", _mm_movemask_epi8(_mm_cmpgt_epi8(a, b)), _mm_movemask_epi8(_mm_cmpeq_epi8(a, a)));
    uint16_t words[8];
    _mm_storeu_si128((__m128i *)words, _mm_adds_epu16(_mm_unpacklo_epi8(a, b), _mm_mullo_epi16(a, b)));
    for (int i = 0; i < 8; i++) printf("%u ", words[i]);
    __m128d d = _mm_sqrt_pd(_mm_set_pd(2.0, 3.0));
    double out[2];
    _mm_storeu_pd(out, _mm_add_pd(d, _mm_shuffle_pd(d, d, 1)));
    printf("%a %a %d\n", out[0], out[1], _mm_cvtsd_si32(d));
    uint32_t *aligned = aligned_alloc(16, 64);
    _mm_store_si128((__m128i *)aligned, _mm_shuffle_epi32(a, _MM_SHUFFLE(0, 1, 2, 3)));
    _mm_stream_si32((int *)aligned + 4, 77);
    _mm_sfence();
    printf("%u %u %u\n", aligned[0], aligned[3], aligned[4]);
    free(aligned);
    if (__builtin_cpu_supports("avx2")) wide_sum(bytes);
    return 0;
}
