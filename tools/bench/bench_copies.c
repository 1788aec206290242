/* SPDX-License-Identifier: MIT */
/* Copies of contiguous bytes, through the caches or past them, and copies between strided layouts.
 */
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

/* The distance in bytes from one index to the next, by dimension. */
typedef struct copy_steps {
    uint32_t rank;
    uint64_t size;
    uint64_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint64_t from[CUMSUM_MAX_DIMENSIONS];
    uint64_t to[CUMSUM_MAX_DIMENSIONS];
} copy_steps;

static void take_strides(uint64_t *steps, const cumsum_buffer_tensor_desc *buffer, uint64_t size) {
    uint64_t packed = size;
    for (uint32_t d = buffer->dimension_count; d-- > 0;) {
        steps[d] = buffer->strides ? buffer->strides[d] * size : packed;
        packed *= buffer->sizes[d];
    }
}

/* The width of an element is a constant in each of these, so that memcpy becomes one move. */
#define COPY_LOOP(width)                                                                           \
    static void copy_##width(unsigned char *to, const unsigned char *from, uint64_t count,         \
                             uint64_t to_step, uint64_t from_step) {                               \
        for (uint64_t i = 0; i < count; i++)                                                       \
            memcpy(to + i * to_step, from + i * from_step, width);                                 \
    }
COPY_LOOP(2)
COPY_LOOP(4)
COPY_LOOP(8)

static void copy_innermost(const copy_steps *s, unsigned char *to, const unsigned char *from) {
    const uint32_t d = s->rank - 1;
    if (s->to[d] == s->size && s->from[d] == s->size)
        memcpy(to, from, s->sizes[d] * s->size);
    else if (s->size == 2)
        copy_2(to, from, s->sizes[d], s->to[d], s->from[d]);
    else if (s->size == 4)
        copy_4(to, from, s->sizes[d], s->to[d], s->from[d]);
    else
        copy_8(to, from, s->sizes[d], s->to[d], s->from[d]);
}

/* Copies the dimensions from d on; at most eight levels deep. */
static void copy_from(const copy_steps *s, uint32_t d, unsigned char *to,
                      const unsigned char *from) {
    if (d + 1 == s->rank) {
        copy_innermost(s, to, from);
        return;
    }
    for (uint64_t i = 0; i < s->sizes[d]; i++)
        copy_from(s, d + 1, to + i * s->to[d], from + i * s->from[d]);
}

void bench_strided_copy(const workload_operator *op, uint64_t start, uint64_t count) {
    copy_steps s = {.rank = op->work->rank,
                    .size = cumsum_data_type_size(op->input_buffer.data_type)};
    for (uint32_t d = 0; d < s.rank; d++)
        s.sizes[d] = op->work->sizes[d];
    take_strides(s.from, &op->input_buffer, s.size);
    take_strides(s.to, &op->output_buffer, s.size);
    s.sizes[0] = count;
    copy_from(&s, 0, op->output + start * s.to[0], op->input + start * s.from[0]);
}
