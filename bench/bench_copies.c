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

/* Four cache lines at a time. Wider stores are hardly faster: memory limits them all. */
#define BLOCK 256

void bench_streaming_copy(unsigned char *to, const unsigned char *from, uint64_t size) {
    uint64_t done = 0;
    for (; size - done >= BLOCK; done += BLOCK) {
        for (int i = 0; i < BLOCK; i += 16) {
            __m128i v = _mm_loadu_si128((const __m128i *)(from + done + i));
            _mm_stream_si128((__m128i *)(to + done + i), v);
        }
    }
    _mm_sfence();
    memcpy(to + done, from + done, size - done);
}

#else

void bench_streaming_copy(unsigned char *to, const unsigned char *from, uint64_t size) {
    memcpy(to, from, size);
}

#endif
