/* SPDX-License-Identifier: MIT */
/*
 * Copies between strided layouts, with which scans of such layouts are compared: nested loops over
 * the merged dimensions, in the order of the output, with memcpy for rows that are contiguous in
 * both operands.
 */
#include "bench_copies.h"

#include <string.h>

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

/* Leaves out dimensions of size 1, sorts the others by their steps in the output, and merges what
 * one loop can go through. */
static void simplify(copy_steps *s) {
    uint32_t kept = 0;
    for (uint32_t d = 0; d < s->rank; d++) {
        if (s->sizes[d] == 1)
            continue;
        const uint64_t size = s->sizes[d], from = s->from[d], to = s->to[d];
        uint32_t place = kept++;
        for (; place > 0 && s->to[place - 1] < to; place--) {
            s->sizes[place] = s->sizes[place - 1];
            s->from[place] = s->from[place - 1];
            s->to[place] = s->to[place - 1];
        }
        s->sizes[place] = size;
        s->from[place] = from;
        s->to[place] = to;
    }
    s->rank = kept ? 1 : s->rank; /* without any, all dimensions stay as they are */
    for (uint32_t d = 1; d < kept; d++) {
        const uint32_t last = s->rank - 1;
        const bool merges =
            s->from[last] == s->from[d] * s->sizes[d] && s->to[last] == s->to[d] * s->sizes[d];
        const uint32_t place = merges ? last : s->rank++;
        s->sizes[place] = merges ? s->sizes[last] * s->sizes[d] : s->sizes[d];
        s->from[place] = s->from[d];
        s->to[place] = s->to[d];
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

static void copy_row(uint64_t size, unsigned char *to, const unsigned char *from, uint64_t count,
                     uint64_t to_step, uint64_t from_step) {
    if (to_step == size && from_step == size)
        memcpy(to, from, count * size);
    else if (size == 2)
        copy_2(to, from, count, to_step, from_step);
    else if (size == 4)
        copy_4(to, from, count, to_step, from_step);
    else
        copy_8(to, from, count, to_step, from_step);
}

/* Copies the dimensions from d on. The recursion has at most eight levels. */
static void copy_from(const copy_steps *s, uint32_t d, unsigned char *to,
                      const unsigned char *from) {
    if (d + 1 == s->rank) {
        copy_row(s->size, to, from, s->sizes[d], s->to[d], s->from[d]);
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
    unsigned char *to = op->output + start * s.to[0];
    const unsigned char *from = op->input + start * s.from[0];
    simplify(&s);
    copy_from(&s, 0, to, from);
}
