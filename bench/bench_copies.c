/* SPDX-License-Identifier: MIT */
/* Copies of contiguous bytes, through the caches or past them. */
#include "bench_copies.h"

#include <string.h>

void bench_copy(unsigned char *to, const unsigned char *from, uint64_t size) {
    memcpy(to, from, size);
    volatile unsigned char *last = to + size - 1;
    (void)*last;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* Each copies the whole blocks of 256 bytes (four cache lines) and returns their size together. */
#define BLOCK 256

static uint64_t blocks_sse2(unsigned char *to, const unsigned char *from, uint64_t size) {
    uint64_t done = 0;
    for (; size - done >= BLOCK; done += BLOCK) {
        for (int i = 0; i < BLOCK; i += 16) {
            __m128i v = _mm_loadu_si128((const __m128i *)(from + done + i));
            _mm_stream_si128((__m128i *)(to + done + i), v);
        }
    }
    return done;
}

__attribute__((target("avx"))) static uint64_t
blocks_avx(unsigned char *to, const unsigned char *from, uint64_t size) {
    uint64_t done = 0;
    for (; size - done >= BLOCK; done += BLOCK) {
        for (int i = 0; i < BLOCK; i += 32) {
            __m256i v = _mm256_loadu_si256((const __m256i *)(from + done + i));
            _mm256_stream_si256((__m256i *)(to + done + i), v);
        }
    }
    return done;
}

__attribute__((target("avx512f"))) static uint64_t
blocks_avx512(unsigned char *to, const unsigned char *from, uint64_t size) {
    uint64_t done = 0;
    for (; size - done >= BLOCK; done += BLOCK) {
        for (int i = 0; i < BLOCK; i += 64) {
            __m512i v = _mm512_loadu_si512((const void *)(from + done + i));
            _mm512_stream_si512((void *)(to + done + i), v);
        }
    }
    return done;
}

typedef struct streaming_copy {
    const char *name;
    uint64_t (*blocks)(unsigned char *to, const unsigned char *from, uint64_t size);
} streaming_copy;

static streaming_copy widest(void) {
    if (__builtin_cpu_supports("avx512f"))
        return (streaming_copy){"AVX-512", blocks_avx512};
    if (__builtin_cpu_supports("avx"))
        return (streaming_copy){"AVX", blocks_avx};
    return (streaming_copy){"SSE2", blocks_sse2};
}

void bench_streaming_copy(unsigned char *to, const unsigned char *from, uint64_t size) {
    uint64_t done = widest().blocks(to, from, size);
    _mm_sfence();
    memcpy(to + done, from + done, size - done);
}

const char *bench_streaming_name(void) {
    return widest().name;
}

#else

void bench_streaming_copy(unsigned char *to, const unsigned char *from, uint64_t size) {
    memcpy(to, from, size);
}

const char *bench_streaming_name(void) {
    return "memcpy";
}

#endif
