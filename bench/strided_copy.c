/* SPDX-License-Identifier: MIT */
/*
 * Copies between strided layouts, as fast as memory allows. Scans of such layouts are compared with
 * these copies. If one dimension is contiguous in the input and another one in the output, the copy
 * works in tiles: 256 bytes of each input row by 64 bytes of each output row. It prefetches the
 * input of the next tile. On x86-64 it transposes in registers. Other layouts are copied by nested
 * loops, which use memcpy for rows that are contiguous in both operands.
 */
#include "bench_copies.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define PREFETCH(address) _mm_prefetch((const char *)(address), _MM_HINT_T0)
#elif defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) (void)(address)
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

enum {
    ROW_BYTES = 256, /* of each input row of a tile */
    COLUMN_BYTES = 64
};

typedef struct tile {
    unsigned char *to;
    const unsigned char *from;
    uint64_t rows;    /* of the input; neighbours in the output */
    uint64_t columns; /* neighbours in the input */
} tile;

/* The dimension whose indices are neighbours in memory, or the rank if there is none. */
static uint32_t contiguous(const copy_steps *s, const uint64_t *steps) {
    uint32_t d = 0;
    while (d < s->rank && (steps[d] != s->size || s->sizes[d] == 1))
        d++;
    return d;
}

/* Moves a tile to its indices of dimension d, in pieces of `length`, and returns how many it has.
 * The piece is a digit of the tile's number, and is removed from it. */
static uint64_t take_indices(const copy_steps *s, uint32_t d, uint64_t length, uint64_t *number,
                             tile *t) {
    const uint64_t pieces = (s->sizes[d] + length - 1) / length;
    const uint64_t first = *number % pieces * length;
    *number /= pieces;
    t->to += first * s->to[d];
    t->from += first * s->from[d];
    return s->sizes[d] - first < length ? s->sizes[d] - first : length;
}

/* The tile with this number; the numbers go along the rows of the output first. False after the
 * last tile. */
static bool tile_at(const copy_steps *s, uint32_t row, uint32_t column, uint64_t number,
                    unsigned char *to, const unsigned char *from, tile *t) {
    *t = (tile){.to = to, .from = from};
    t->rows = take_indices(s, row, COLUMN_BYTES / s->size, &number, t);
    t->columns = take_indices(s, column, ROW_BYTES / s->size, &number, t);
    for (uint32_t d = s->rank; d-- > 0;)
        if (d != row && d != column)
            (void)take_indices(s, d, 1, &number, t);
    return number == 0;
}

#if defined(__x86_64__)
/* Whether all rows of a tile are whole and aligned, so that vectors can copy them. */
static bool is_whole(uint64_t size, const tile *t, uint64_t to_step) {
    return t->rows * size == COLUMN_BYTES && t->columns * size % 16 == 0 &&
           ((uintptr_t)t->to | to_step) % 16 == 0;
}

/* A square is 16 bytes by as many rows. A perfect shuffle of the rows, repeated, transposes it. */
#define COPY_SQUARES(width)                                                                        \
    static void squares_##width(const tile *t, uint64_t to_step, uint64_t from_step) {             \
        enum {                                                                                     \
            SQUARE = 128 / (width)                                                                 \
        };                                                                                         \
        for (uint64_t column = 0; column < t->columns; column += SQUARE) {                         \
            for (uint64_t row = 0; row < t->rows; row += SQUARE) {                                 \
                __m128i v[SQUARE], shuffled[SQUARE];                                               \
                for (uint64_t i = 0; i < SQUARE; i++)                                              \
                    v[i] = _mm_loadu_si128(                                                        \
                        (const void *)(t->from + (row + i) * from_step + column * ((width) / 8))); \
                for (size_t round = 1; round < SQUARE; round *= 2) {                               \
                    for (size_t i = 0; i < SQUARE / 2; i++) {                                      \
                        shuffled[2 * i] = _mm_unpacklo_epi##width(v[i], v[i + SQUARE / 2]);        \
                        shuffled[2 * i + 1] = _mm_unpackhi_epi##width(v[i], v[i + SQUARE / 2]);    \
                    }                                                                              \
                    memcpy(v, shuffled, sizeof v);                                                 \
                }                                                                                  \
                for (uint64_t i = 0; i < SQUARE; i++)                                              \
                    _mm_stream_si128(                                                              \
                        (void *)(t->to + (column + i) * to_step + row * ((width) / 8)), v[i]);     \
            }                                                                                      \
        }                                                                                          \
    }
COPY_SQUARES(16)
COPY_SQUARES(32)
COPY_SQUARES(64)

static bool copy_squares(uint64_t size, const tile *t, uint64_t to_step, uint64_t from_step) {
    if (!is_whole(size, t, to_step))
        return false;
    if (size == 2)
        squares_16(t, to_step, from_step);
    else if (size == 4)
        squares_32(t, to_step, from_step);
    else
        squares_64(t, to_step, from_step);
    return true;
}

static void fence(void) {
    _mm_sfence();
}
#else
static bool copy_squares(uint64_t size, const tile *t, uint64_t to_step, uint64_t from_step) {
    (void)size;
    (void)t;
    (void)to_step;
    (void)from_step;
    return false;
}

static void fence(void) {
}
#endif

static void prefetch_tile(const tile *t, uint64_t size, uint64_t from_step) {
    for (uint64_t i = 0; i < t->rows; i++)
        for (uint64_t byte = 0; byte < t->columns * size; byte += 64)
            PREFETCH(t->from + i * from_step + byte);
}

static void copy_tiles(const copy_steps *s, uint32_t row, uint32_t column, unsigned char *to,
                       const unsigned char *from) {
    tile t, next;
    bool more = tile_at(s, row, column, 0, to, from, &t);
    for (uint64_t number = 1; more; number++, t = next) {
        more = tile_at(s, row, column, number, to, from, &next);
        prefetch_tile(&next, s->size, s->from[row]);
        if (copy_squares(s->size, &t, s->to[column], s->from[row]))
            continue;
        for (uint64_t i = 0; i < t.columns; i++)
            copy_row(s->size, t.to + i * s->to[column], t.from + i * s->size, t.rows, s->size,
                     s->from[row]);
    }
    fence();
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
    const uint32_t row = contiguous(&s, s.to), column = contiguous(&s, s.from);
    if (row < s.rank && column < s.rank && row != column)
        copy_tiles(&s, row, column, to, from);
    else
        copy_from(&s, 0, to, from);
}
