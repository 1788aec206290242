/* SPDX-License-Identifier: MIT */
/* Copies of contiguous bytes, through the caches or past them; and from one layout to another. */
#include "bench_copies.h"

#include <string.h>

#include "layout.h"

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

/* The width of an element is a constant in each of these, so that memcpy becomes one move. */
#define COPY_LOOP(width)                                                                           \
    static void copy_##width(unsigned char *to, const unsigned char *from, uint64_t count,         \
                             uint64_t to_step, uint64_t from_step) {                               \
        for (uint64_t i = 0; i < count; i++)                                                       \
            memcpy(to + i * to_step * (width), from + i * from_step * (width), width);             \
    }
COPY_LOOP(2)
COPY_LOOP(4)
COPY_LOOP(8)

/* Copies the dimensions from d on. The recursion has at most eight levels. */
static void copy_dimensions(const layout *target, unsigned char *to, const layout *source,
                            const unsigned char *from, uint32_t d) {
    const uint64_t count = target->sizes[d], size = target->element_size;
    const uint64_t to_step = target->strides[d], from_step = source->strides[d];
    if (d + 1 < target->rank)
        for (uint64_t i = 0; i < count; i++)
            copy_dimensions(target, to + i * to_step * size, source, from + i * from_step * size,
                            d + 1);
    else if (to_step == 1 && from_step == 1)
        memcpy(to, from, count * size);
    else
        (size == 2 ? copy_2 : size == 4 ? copy_4 : copy_8)(to, from, count, to_step, from_step);
}

void bench_strided_copy(const workload_operator *op, uint64_t start, uint64_t count) {
    layout source = layout_of(&op->input_buffer), target = layout_of(&op->output_buffer);
    const uint64_t size = target.element_size;
    target.sizes[0] = (uint32_t)count;
    copy_dimensions(&target, op->output + start * target.strides[0] * size, &source,
                    op->input + start * source.strides[0] * size, 0);
}
