/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_EXACT_SCAN_H
#define CUMSUM_CPU_EXACT_SCAN_H

/*
 * The exact order by vectors: sums in binary64 that do not round, a tile at a time, and one
 * rounding for each output. docs/kernels.md has the proof.
 *
 * With a bound 2^e on the magnitudes of all sums on the way, binary64 adds multiples of 2^(e-51)
 * without rounding, in any order. If a tile has no lower bits, that is all (one grid). If it has,
 * an element is split into a multiple of 2^(e-51) and a rest, which is added up by itself (two
 * grids). What needs more goes to the integers of exact_line.c: tiles whose elements lie more than
 * 70 binades below the largest sum, NaN, infinities, and sums of FLOAT16 from 2^28 on.
 *
 * Invariant: `high` + `low` is the exact sum so far, and `high` is that sum, rounded to binary64.
 */

#include "exact_line.h"
#include "float_line.h"
#include "lane_kernels.h"

enum {
    BLOCK_VECTORS64 = LINE_BLOCK / LANES64,
    COLUMN_LINES = LINE_BLOCK, /* lines side by side: of FLOAT32 a cache line */
    COLUMN_STRIPS = 4,         /* times so many, of which a piece of memory is read at a time: */
    COLUMN_PIECE = 64,         /* so many elements of each, 16 KiB */
    CROSSED_STRIPS = 16,       /* of a crossed shape, in scratch memory: inputs of a cache line */
    COLUMN_VECTORS64 = COLUMN_LINES / LANES64
};

/* The bits of binary64 that binary32 lacks, the highest of them, and the lowest that it has. */
#define LOWER_BITS UINT64_C(0x1FFFFFFF)
#define HALF_BIT   UINT64_C(0x10000000)
#define LAST_BIT   UINT64_C(0x20000000)

/* What precedes an element of a line. */
typedef struct exact_state {
    double high;
    double low;
    bool is_wide;         /* two binary64 do not hold the sum: it is in `wide` */
    cumsum_wide_sum wide; /* undefined otherwise */
} exact_state;

/* How a tile is added up. */
typedef struct exact_grid {
    bool two;
    v64 shift; /* adding this rounds to a multiple of the upper grid */
} exact_grid;

KERNEL_INLINE double double_magnitude(double value) {
    return value < 0 ? -value : value;
}

/* To the nearest multiple of the grid that `shift` belongs to. */
KERNEL_INLINE v64 on_grid(v64 v, v64 shift) {
    return sub_f64(add_f64(v, shift), shift);
}

KERNEL_INLINE bool all_equal64(v64 a, v64 b) {
    return lanes_equal64(a, b) == (1u << LANES64) - 1;
}

KERNEL_INLINE v64 all_lanes_f64(double value) {
    return all_lanes_u64(cumsum_double_bits(value));
}

/* The encodings of the greatest magnitude of some elements, and of the least other than 0; that is
 * infinity if all are 0. */
KERNEL_INLINE void find_range(const float *x, unsigned elements, uint32_t *most, uint32_t *least) {
    v32 greatest = zero32(), smallest = all_lanes_u32(UINT32_MAX);
    for (unsigned i = 0; i < elements; i += LANES32) {
        const v32 magnitude = abs_f32(load32(x + i));
        greatest = max_u32(greatest, magnitude);
        smallest = min_u32(smallest, add_i32(magnitude, all_lanes_u32(UINT32_MAX))); /* less 1 */
    }
    uint32_t lanes[2][LANES32], before = UINT32_MAX;
    store32(lanes[0], greatest);
    store32(lanes[1], smallest);
    *most = 0;
    for (unsigned i = 0; i < LANES32; i++) {
        *most = lanes[0][i] > *most ? lanes[0][i] : *most;
        before = lanes[1][i] < before ? lanes[1][i] : before;
    }
    *least = before == UINT32_MAX ? 0x7F800000u : before + 1;
}

/*
 * Chooses the grids for elements whose magnitudes are encoded from `least` to `most`, and sums
 * below `bound` in magnitude. Brings the sums so far, high + low, into the grids. False if two
 * grids are not enough; the sums are then as they were.
 */
KERNEL_INLINE bool enter_grids(kernel_kind kind, double bound, uint32_t most, uint32_t least,
                               unsigned vectors, v64 *high, v64 *low, exact_grid *grid) {
    if (most >= 0x7F800000u)
        return false;
    const int exponent = (int)(cumsum_double_bits(bound) >> 52) - 1022; /* bound < 2^exponent */
    const double upper = cumsum_power_of_two((exponent < -149 ? -149 : exponent) - 51);
    const double lower = upper * 0x1p-42, lowest = (double)float_of_bits(least);
    const v64 shift = all_lanes_f64(upper * 0x1.8p52),
              lower_shift = all_lanes_f64(lower * 0x1.8p52);
    bool one = is_half(kind) ? exponent <= 28 : lowest >= upper * 0x1p23;
    bool two = !is_half(kind) && lowest >= lower * 0x1p23;
    v64 on_upper[COLUMN_VECTORS64], on_lower[COLUMN_VECTORS64];
    for (unsigned j = 0; j < vectors; j++) {
        on_upper[j] = on_grid(high[j], shift);
        const v64 rest = sub_f64(high[j], on_upper[j]);
        on_lower[j] = add_f64(rest, low[j]);
        one &= all_equal64(low[j], zero64()) && (is_half(kind) || all_equal64(rest, zero64()));
        two &= all_equal64(sub_f64(on_lower[j], rest), low[j]) &&
               all_equal64(on_grid(on_lower[j], lower_shift), on_lower[j]);
    }
    for (unsigned j = 0; j < vectors && two && !one; j++) {
        high[j] = on_upper[j];
        low[j] = on_lower[j];
    }
    *grid = (exact_grid){!one, shift};
    return one || two;
}

/* From the grids to a sum and what it lacks (TwoSum, Knuth). */
KERNEL_INLINE void leave_grids(v64 *high, v64 *low) {
    const v64 sum = add_f64(*high, *low), part = sub_f64(sum, *high);
    *low = add_f64(sub_f64(*high, sub_f64(sum, part)), sub_f64(*low, part));
    *high = sum;
}

/* Moves a sum that binary32 has to round at its last bit off the tie, to the side of `error`, which
 * is what the sum lacks. */
KERNEL_INLINE double off_the_tie(double sum, double error) {
    const uint64_t bits = cumsum_double_bits(sum);
    if (error == 0 || (bits & LOWER_BITS) != HALF_BIT)
        return sum;
    return cumsum_double_of_bits((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/* The same of a block whose sums are high + low, rounded to `sums`. Ties are rare. */
KERNEL_OUTLINE void block_off_the_ties(const v64 high[BLOCK_VECTORS64],
                                       const v64 low[BLOCK_VECTORS64], v64 sums[BLOCK_VECTORS64]) {
    for (size_t j = 0; j < BLOCK_VECTORS64; j++) {
        v64 sum = high[j], error = low[j];
        leave_grids(&sum, &error);
        double lanes[2][LANES64];
        store64(lanes[0], sums[j]);
        store64(lanes[1], error);
        for (unsigned i = 0; i < LANES64; i++)
            lanes[0][i] = off_the_tie(lanes[0][i], lanes[1][i]);
        sums[j] = load64(lanes[0]);
    }
}

KERNEL_INLINE unsigned ties_of(v64 sums) {
    return lanes_equal64(and64(sums, all_lanes_u64(LOWER_BITS)), all_lanes_u64(HALF_BIT));
}

/* Rounds exact binary64 to 24 bits so that the rounding to binary16 that follows gives the same as
 * a single one: to odd (Boldo and Melquiond, Emulation of FMA and correctly rounded sums, 2008). */
KERNEL_INLINE v64 round_to_odd(v64 sums) {
    const v64 lower = and64(sums, all_lanes_u64(LOWER_BITS));
    const v64 odd = and64(add_i64(lower, all_lanes_u64(LOWER_BITS)), all_lanes_u64(LAST_BIT));
    return or64(and64(sums, all_lanes_u64(~LOWER_BITS)), odd);
}

/* The outputs of a block whose sums are high + low. */
KERNEL_INLINE void round_block(kernel_kind kind, bool two, const v64 high[BLOCK_VECTORS64],
                               const v64 low[BLOCK_VECTORS64], v32 out[BLOCK_VECTORS32]) {
    v64 sums[BLOCK_VECTORS64];
    unsigned ties = 0;
    UNROLL
    for (size_t j = 0; j < BLOCK_VECTORS64; j++) {
        sums[j] = two ? add_f64(high[j], low[j]) : high[j];
        if (is_half(kind))
            sums[j] = round_to_odd(sums[j]);
        if (two)
            ties |= ties_of(sums[j]);
    }
    if (ties)
        block_off_the_ties(high, low, sums);
    UNROLL
    for (size_t i = 0; i < BLOCK_VECTORS32; i++) {
        out[i] = narrow_f64(sums[2 * i], sums[2 * i + 1]);
        if (kind == KIND_F32_FLUSH)
            out[i] = flush_f32(out[i]);
    }
}

/* The output of a sum by itself. */
KERNEL_INLINE v32 round_state(kernel_kind kind, const exact_state *s) {
    v64 high[BLOCK_VECTORS64], low[BLOCK_VECTORS64];
    v32 out[BLOCK_VECTORS32];
    for (size_t j = 0; j < BLOCK_VECTORS64; j++) {
        high[j] = all_lanes_f64(s->high);
        low[j] = all_lanes_f64(s->low);
    }
    round_block(kind, !is_half(kind), high, low, out);
    return out[0];
}

/* A block of elements in the grids. */
KERNEL_INLINE void load_on_grids(const float *x, bool two, v64 shift, v64 high[BLOCK_VECTORS64],
                                 v64 low[BLOCK_VECTORS64]) {
    UNROLL
    for (size_t i = 0; i < BLOCK_VECTORS32; i++) {
        const v32 v = load32(x + i * LANES32);
        high[2 * i] = low_f64(v);
        high[2 * i + 1] = high_f64(v);
    }
    UNROLL
    for (size_t j = 0; j < BLOCK_VECTORS64; j++) {
        const v64 value = high[j];
        if (two)
            high[j] = sub_f64(add_f64(value, shift), shift);
        low[j] = two ? sub_f64(value, high[j]) : zero64();
    }
}

/* Adds up a block in one grid, from `carry` on. */
KERNEL_INLINE void scan_grid(v64 v[BLOCK_VECTORS64], v64 *carry) {
    UNROLL
    for (size_t j = 0; j < BLOCK_VECTORS64; j++)
        v[j] = running_f64(v[j], carry);
}

KERNEL_INLINE double first_double(v64 v) {
    double lanes[LANES64];
    store64(lanes, v);
    return lanes[0];
}

/* Replaces the elements by their outputs. */
KERNEL_INLINE void scan_on_grids(kernel_kind kind, bool two, v64 shift, float *x, unsigned elements,
                                 bool exclusive, v32 previous, v64 *high, v64 *low) {
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        v64 upper[BLOCK_VECTORS64], lower[BLOCK_VECTORS64];
        v32 out[BLOCK_VECTORS32];
        load_on_grids(x + i, two, shift, upper, lower);
        scan_grid(upper, high);
        if (two)
            scan_grid(lower, low);
        round_block(kind, two, upper, lower, out);
        UNROLL
        for (size_t j = 0; j < BLOCK_VECTORS32; j++) {
            store32(x + i + j * LANES32, exclusive ? shift_in32(out[j], previous) : out[j]);
            previous = out[j];
        }
    }
}

/* The sum of all lanes, in all lanes. */
KERNEL_INLINE v64 sum_of_lanes(v64 v) {
    double lanes[LANES64], sum = 0;
    store64(lanes, v);
    for (unsigned i = 0; i < LANES64; i++)
        sum += lanes[i];
    return all_lanes_f64(sum);
}

/* Adds the elements to the sum, without outputs. */
KERNEL_INLINE void sum_on_grids(bool two, v64 shift, const float *x, unsigned elements, v64 *high,
                                v64 *low) {
    v64 sums[2] = {zero64(), zero64()};
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        v64 upper[BLOCK_VECTORS64], lower[BLOCK_VECTORS64];
        load_on_grids(x + i, two, shift, upper, lower);
        UNROLL
        for (size_t j = 0; j < BLOCK_VECTORS64; j++) {
            sums[0] = add_f64(sums[0], upper[j]);
            if (two)
                sums[1] = add_f64(sums[1], lower[j]);
        }
    }
    *high = add_f64(*high, sum_of_lanes(sums[0]));
    *low = add_f64(*low, sum_of_lanes(sums[1]));
}

/* Adds up to a tile of elements, filled up with zeros to whole blocks; their outputs replace them
 * if `writes`. False if the grids are not enough: then nothing has changed. */
KERNEL_INLINE bool exact_floats(kernel_kind kind, float *x, unsigned elements, bool exclusive,
                                bool writes, exact_state *s) {
    exact_grid grid;
    uint32_t most, least;
    if (s->is_wide)
        s->is_wide = !cumsum_exact_pair(is_half(kind), &s->wide, &s->high, &s->low);
    if (s->is_wide)
        return false;
    v64 high = all_lanes_f64(s->high), low = all_lanes_f64(s->low);
    find_range(x, elements, &most, &least);
    const double bound = double_magnitude(s->high) + double_magnitude(s->low) +
                         elements * (double)float_of_bits(most);
    if (!enter_grids(kind, bound, most, least, 1, &high, &low, &grid))
        return false;
    const v32 previous = exclusive && writes ? round_state(kind, s) : zero32();
    if (!writes && grid.two)
        sum_on_grids(true, grid.shift, x, elements, &high, &low);
    else if (!writes)
        sum_on_grids(false, grid.shift, x, elements, &high, &low);
    else if (!grid.two || is_half(kind))
        scan_on_grids(kind, false, grid.shift, x, elements, exclusive, previous, &high, &low);
    else
        scan_on_grids(kind, true, grid.shift, x, elements, exclusive, previous, &high, &low);
    leave_grids(&high, &low);
    s->high = first_double(high);
    s->low = first_double(low);
    return true;
}

/* Elements [k, k + count) of a line by exact_line.c. */
KERNEL_INLINE void exact_by_integers(kernel_kind kind, const panel_walk *w, uint64_t k,
                                     unsigned count, bool writes, exact_state *s) {
    const int64_t first = (int64_t)(w->reversed ? w->length - 1 - k : k);
    const cumsum_arithmetic arithmetic = {
        .type = is_half(kind) ? CUMSUM_DATA_TYPE_FLOAT16 : CUMSUM_DATA_TYPE_FLOAT32,
        .exclusive = w->exclusive,
        .numerics.denormals =
            kind == KIND_F32_FLUSH ? CUMSUM_DENORMALS_FLUSH : CUMSUM_DENORMALS_PRESERVE};
    const cumsum_panel piece = {
        .input = w->input + first * w->in.element_step,
        .output = w->output + first * w->out.element_step,
        .length = count,
        .input_step = w->reversed ? -w->in.element_step : w->in.element_step,
        .output_step = w->reversed ? -w->out.element_step : w->out.element_step};
    if (!s->is_wide)
        cumsum_exact_from_pair(is_half(kind), s->high, s->low, &s->wide);
    s->is_wide = true;
    if (writes)
        cumsum_exact_write(&piece, &arithmetic, &s->wide);
    else
        cumsum_exact_reduce(&piece, &arithmetic, &s->wide);
}

/* The tile at position k of a line of any access pattern. */
KERNEL_INLINE void exact_tile(kernel_kind kind, const panel_walk *w, uint64_t k, bool writes,
                              exact_state *s) {
    const unsigned count = tile_count32(w, k);
    tile_copy32 copy;
    float_tile tile;
    const line32 piece = tile_of32(kind, w, k, count, &copy);
    load_tile(kind, piece, 0, count, &tile);
    const unsigned whole = (count + LINE_BLOCK - 1) / LINE_BLOCK * LINE_BLOCK;
    if (!exact_floats(kind, tile.x, whole, w->exclusive, writes, s)) {
        exact_by_integers(kind, w, k, count, writes, s);
    } else if (writes) {
        store_tile(kind, piece, 0, count, &tile);
        tile_done32(kind, w, k, count, &copy);
    }
}

KERNEL_INLINE void exact_line(kernel_kind kind, const panel_walk *w, bool writes, exact_state *s) {
    for (uint64_t k = 0; k < w->length; k += LINE_TILE)
        exact_tile(kind, w, k, writes, s);
}

/* COLUMN_LINES lines side by side, lanes being lines: all of them in the same grids. */
typedef struct exact_columns {
    float x[COLUMN_PIECE][COLUMN_LINES]; /* elements, and then outputs, in the order of the scan */
    double high[COLUMN_LINES];
    double low[COLUMN_LINES];
    bool is_wide[COLUMN_LINES];
    bool any_wide;
    cumsum_wide_sum wide[COLUMN_LINES];
} exact_columns;

/* A row of elements, and 0 for the lines that are missing. */
KERNEL_INLINE void load_row(kernel_kind kind, const panel_walk *w, uint64_t k, float *row) {
    const size_t size = kind_size(kind);
    const unsigned char *from = w->input + scan_offset(w, w->in, k, 1);
    unsigned char packed[COLUMN_LINES * sizeof(float)];
    if (w->in.pattern != ACCESS_INTERLEAVED || w->lines < COLUMN_LINES) {
        memset(packed, 0, sizeof packed);
        gather_elements(size, packed, from, strided_run(w->in.line_step, (unsigned)w->lines));
        from = packed;
    }
    UNROLL
    for (size_t i = 0; i < BLOCK_VECTORS32; i++)
        store32(row + i * LANES32, load_elements32(kind, from + i * LANES32 * size));
}

KERNEL_INLINE void store_row(kernel_kind kind, const panel_walk *w, uint64_t k, const float *row) {
    const size_t size = kind_size(kind);
    unsigned char *const to = w->output + scan_offset(w, w->out, k, 1);
    unsigned char packed[COLUMN_LINES * sizeof(float)];
    const bool direct = w->out.pattern == ACCESS_INTERLEAVED && w->lines == COLUMN_LINES;
    UNROLL
    for (size_t i = 0; i < BLOCK_VECTORS32; i++) {
        const v32 v = load32(row + i * LANES32);
        if (direct && w->stream)
            stream_elements32(kind, to + i * LANES32 * size, v);
        else
            store_elements32(kind, (direct ? to : packed) + i * LANES32 * size, v);
    }
    if (!direct)
        scatter_elements(size, to, packed, strided_run(w->out.line_step, (unsigned)w->lines));
}

/* Square blocks of contiguous lines, transposed; the others row by row. */
KERNEL_INLINE void load_rows(kernel_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                             exact_columns *c) {
    unsigned i = 0;
    if (w->in.pattern == ACCESS_CONTIGUOUS && w->lines == COLUMN_LINES) {
        for (; i + LANES32 <= count; i += LANES32) {
            const uint64_t last = k + i + (w->reversed ? LANES32 - 1 : 0);
            const unsigned char *from = w->input + scan_offset(w, w->in, last, 1);
            for (unsigned l = 0; l < COLUMN_LINES; l += LANES32) {
                v32 v[LANES32];
                load_lines32(kind, from + (int64_t)l * w->in.line_step, w->in.line_step, v);
                UNROLL
                for (unsigned r = 0; r < LANES32; r++)
                    store32(c->x[i + (w->reversed ? LANES32 - 1 - r : r)] + l, v[r]);
            }
        }
    }
    for (; i < count; i++)
        load_row(kind, w, k + i, c->x[i]);
}

KERNEL_INLINE void store_rows(kernel_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                              const exact_columns *c) {
    unsigned i = 0;
    if (w->out.pattern == ACCESS_CONTIGUOUS && w->lines == COLUMN_LINES) {
        for (; i + LANES32 <= count; i += LANES32) {
            const uint64_t last = k + i + (w->reversed ? LANES32 - 1 : 0);
            unsigned char *to = w->output + scan_offset(w, w->out, last, 1);
            for (unsigned l = 0; l < COLUMN_LINES; l += LANES32) {
                v32 v[LANES32];
                UNROLL
                for (unsigned r = 0; r < LANES32; r++)
                    v[r] = load32(c->x[i + (w->reversed ? LANES32 - 1 - r : r)] + l);
                transpose32(v);
                UNROLL
                for (unsigned r = 0; r < LANES32; r++) {
                    unsigned char *line = to + (int64_t)(l + r) * w->out.line_step;
                    if (w->stream && LANES32 * kind_size(kind) == 64)
                        stream_elements32(kind, line, v[r]);
                    else
                        store_elements32(kind, line, v[r]);
                }
            }
        }
    }
    for (; i < count; i++)
        store_row(kind, w, k + i, c->x[i]);
}

/* Replaces the elements by their outputs, row by row. */
KERNEL_INLINE void scan_rows(kernel_kind kind, bool two, v64 shift, bool exclusive, unsigned count,
                             float x[][COLUMN_LINES], v64 high[COLUMN_VECTORS64],
                             v64 low[COLUMN_VECTORS64]) {
    v32 previous[BLOCK_VECTORS32];
    UNROLL
    for (size_t j = 0; j < BLOCK_VECTORS32; j++)
        previous[j] = zero32();
    if (exclusive)
        round_block(kind, two, high, low, previous);
    for (unsigned k = 0; k < count; k++) {
        v64 upper[BLOCK_VECTORS64], lower[BLOCK_VECTORS64];
        v32 out[BLOCK_VECTORS32];
        load_on_grids(x[k], two, shift, upper, lower);
        UNROLL
        for (size_t j = 0; j < BLOCK_VECTORS64; j++) {
            high[j] = add_f64(high[j], upper[j]);
            if (two)
                low[j] = add_f64(low[j], lower[j]);
        }
        round_block(kind, two, high, low, out);
        UNROLL
        for (size_t j = 0; j < BLOCK_VECTORS32; j++) {
            store32(x[k] + j * LANES32, exclusive ? previous[j] : out[j]);
            previous[j] = out[j];
        }
    }
}

/* All lines in the same grids; false if they are not enough. Before the first piece of the lines
 * their sums are 0, and behind the last one nobody needs them. */
KERNEL_INLINE bool exact_rows(kernel_kind kind, bool exclusive, bool first, bool last,
                              unsigned count, exact_columns *c) {
    v64 high[COLUMN_VECTORS64], low[COLUMN_VECTORS64];
    uint32_t most, least;
    exact_grid grid;
    double sums = 0;
    if (c->any_wide)
        return false;
    for (unsigned l = 0; l < COLUMN_LINES && !first; l++) {
        const double sum = double_magnitude(c->high[l]) + double_magnitude(c->low[l]);
        sums = sum > sums ? sum : sums;
    }
    UNROLL
    for (size_t j = 0; j < COLUMN_VECTORS64; j++) {
        high[j] = load64(c->high + j * LANES64);
        low[j] = load64(c->low + j * LANES64);
    }
    find_range(c->x[0], count * COLUMN_LINES, &most, &least);
    const double bound = sums + count * (double)float_of_bits(most);
    const unsigned vectors = first ? 0 : COLUMN_VECTORS64;
    if (!enter_grids(kind, bound, most, least, vectors, high, low, &grid))
        return false;
    if (!grid.two || is_half(kind))
        scan_rows(kind, false, grid.shift, exclusive, count, c->x, high, low);
    else
        scan_rows(kind, true, grid.shift, exclusive, count, c->x, high, low);
    UNROLL
    for (size_t j = 0; j < COLUMN_VECTORS64 && !last; j++) {
        leave_grids(&high[j], &low[j]);
        store64(c->high + j * LANES64, high[j]);
        store64(c->low + j * LANES64, low[j]);
    }
    return true;
}

/* A line of the piece by itself: in grids of its own, or by integers from memory to memory. */
KERNEL_OUTLINE void exact_column(kernel_kind kind, const panel_walk *w, unsigned l, uint64_t k,
                                 unsigned count, exact_columns *c) {
    const unsigned whole = (count + LINE_BLOCK - 1) / LINE_BLOCK * LINE_BLOCK;
    exact_state s = {c->high[l], c->low[l], c->is_wide[l], c->wide[l]};
    float x[COLUMN_PIECE] = {0};
    for (unsigned i = 0; i < count; i++)
        x[i] = c->x[i][l];
    if (!exact_floats(kind, x, whole, w->exclusive, true, &s)) {
        const panel_walk line = one_line(w, l);
        const size_t size = kind_size(kind);
        exact_by_integers(kind, &line, k, count, true, &s);
        for (unsigned i = 0; i < count; i++) {
            unsigned char packed[LANES32 * sizeof(float)] = {0};
            memcpy(packed, line.output + scan_offset(w, w->out, k + i, 1), size);
            x[i] = first_lane(load_elements32(kind, packed));
        }
    }
    for (unsigned i = 0; i < count; i++)
        c->x[i][l] = x[i];
    c->high[l] = s.high;
    c->low[l] = s.low;
    c->is_wide[l] = s.is_wide;
    c->wide[l] = s.wide;
    c->any_wide |= s.is_wide;
}

/* The lines from `first` on, at most COLUMN_LINES, as a walk of its own. Of rows that end within a
 * cache line nothing bypasses the caches: a strip may be half of one. */
KERNEL_INLINE panel_walk strip_of(const panel_walk *w, uint64_t first) {
    panel_walk strip = one_line(w, first);
    strip.lines = cumsum_least(w->lines - first, COLUMN_LINES);
    if (w->out.pattern == ACCESS_INTERLEAVED)
        strip.stream = w->stream && w->lines * (uint64_t)w->out.line_step % 64 == 0;
    return strip;
}

/* Row k of an operand of a strip, before it is needed; of contiguous lines only what a cache line
 * begins with. */
KERNEL_INLINE void prefetch_operand(kernel_kind kind, const panel_walk *w, const operand of,
                                    const unsigned char *start, uint64_t k) {
    if (of.pattern != ACCESS_CONTIGUOUS || k * kind_size(kind) % 64 == 0)
        prefetch_row(start + scan_offset(w, of, k, 1), of.line_step, (size_t)w->lines);
}

/* Prefetches a part of the next piece, one for each strip that is scanned. The strips of a crossed
 * shape have their inputs in the same cache lines. */
KERNEL_INLINE void prefetch_piece(kernel_kind kind, const panel_walk *strip, unsigned strips,
                                  bool crossed, unsigned part, uint64_t k) {
    if (!strip->large)
        return;
    for (unsigned i = part * COLUMN_PIECE / strips; i < (part + 1) * COLUMN_PIECE / strips; i++) {
        for (unsigned s = 0; s < strips && k + i < strip->length; s++) {
            if (s == 0 || !crossed)
                prefetch_operand(kind, &strip[s], strip[s].in, strip[s].input, k + i);
            if (!strip->stream)
                prefetch_operand(kind, &strip[s], strip[s].out, strip[s].output, k + i);
        }
    }
}

/* Square blocks of strips of neighbouring groups, of which the input has one index as neighbours
 * (is_crossed in shape.h): all strips are whole. */
KERNEL_INLINE void load_crossed_strips(kernel_kind kind, const panel_walk *strip, uint64_t k,
                                       unsigned count, exact_columns *c) {
    const operand in = strip->in;
    for (unsigned i = 0; i < count; i++) {
        const unsigned char *row = strip->input + scan_offset(strip, in, k + i, 1);
        for (unsigned l = 0; l < COLUMN_LINES; l += LANES32) {
            for (unsigned s = 0; s < CROSSED_STRIPS; s += LANES32) {
                v32 v[LANES32];
                load_lines32(kind, row + (int64_t)l * in.line_step + (int64_t)s * in.group_step,
                             in.line_step, v);
                UNROLL
                for (unsigned j = 0; j < LANES32; j++)
                    store32(c[s + j].x[i] + l, v[j]);
            }
        }
    }
}

/* The piece at position k of some strips. The next piece is prefetched. */
KERNEL_INLINE void load_strips(kernel_kind kind, const panel_walk *strip, unsigned strips,
                               uint64_t k, unsigned count, exact_columns *c) {
    if (strip->in.pattern == ACCESS_CONTIGUOUS) {
        for (unsigned s = 0; s < strips; s++)
            load_rows(kind, &strip[s], k, count, &c[s]);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned s = 0; s < strips; s++)
            load_row(kind, &strip[s], k + i, c[s].x[i]);
}

KERNEL_INLINE void store_strips(kernel_kind kind, const panel_walk *strip, unsigned strips,
                                uint64_t k, unsigned count, const exact_columns *c) {
    if (strip->out.pattern == ACCESS_CONTIGUOUS) {
        for (unsigned s = 0; s < strips; s++)
            store_rows(kind, &strip[s], k, count, &c[s]);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned s = 0; s < strips; s++)
            store_row(kind, &strip[s], k + i, c[s].x[i]);
}

KERNEL_INLINE void scan_strip(kernel_kind kind, const panel_walk *strip, uint64_t k, unsigned count,
                              exact_columns *c) {
    if (exact_rows(kind, strip->exclusive, k == 0, k + count == strip->length, count, c))
        return;
    c->any_wide = false;
    for (unsigned l = 0; l < strip->lines; l++)
        exact_column(kind, strip, l, k, count, c);
}

_Static_assert(sizeof(exact_columns) * CROSSED_STRIPS <= CUMSUM_SCRATCH_EXACT,
               "what a plan has for the strips");

/* Strips of lines from end to end. */
KERNEL_INLINE void exact_side_by_side(kernel_kind kind, const panel_walk *strip, unsigned strips,
                                      bool crossed, exact_columns *c) {
    for (unsigned s = 0; s < strips; s++) {
        memset(c[s].high, 0, sizeof c[s].high);
        memset(c[s].low, 0, sizeof c[s].low);
        memset(c[s].is_wide, 0, sizeof c[s].is_wide);
        c[s].any_wide = false;
    }
    for (uint64_t k = 0; k < strip->length; k += COLUMN_PIECE) {
        const unsigned count = (unsigned)cumsum_least(strip->length - k, COLUMN_PIECE);
        if (crossed)
            load_crossed_strips(kind, strip, k, count, c);
        else
            load_strips(kind, strip, strips, k, count, c);
        for (unsigned s = 0; s < strips; s++) {
            prefetch_piece(kind, strip, strips, crossed, s, k + COLUMN_PIECE);
            scan_strip(kind, &strip[s], k, count, &c[s]);
        }
        store_strips(kind, strip, strips, k, count, c);
    }
}

/* From LONG_LINE elements on, contiguous lines and lines that do not fill a strip are scanned by
 * themselves; fewer lines than FEW_COLUMNS always are. */
#define LONG_LINE   64
#define FEW_COLUMNS 4

/* Some lines, a tile of each at a time. Not by scan_in_turn, which takes lines to their end: with
 * it rows in memory took 1.2 times as long. */
KERNEL_INLINE void exact_tiles(kernel_kind kind, const panel_walk *w, uint64_t first,
                               unsigned lines) {
    exact_state states[MOST_IN_TURN];
    memset(states, 0, lines * sizeof *states);
    for (uint64_t k = 0; k < w->length; k += LINE_TILE) {
        for (unsigned l = 0; l < lines; l++) {
            const panel_walk line = one_line(w, first + l);
            exact_tile(kind, &line, k, true, &states[l]);
        }
    }
}

/* Line after line; lines that share cache lines take turns, a tile each. Outlined, as exact_strips
 * is, so that the memory of both is not on the stack at once: not all compilers share it. */
KERNEL_OUTLINE void exact_alone(kernel_kind kind, const panel_walk *w) {
    const unsigned most = both_contiguous(w) || lines_in_turn(w) == 1 ? 1 : MOST_IN_TURN;
    for (uint64_t i = 0; i < w->lines; i += most)
        exact_tiles(kind, w, i, (unsigned)cumsum_least(w->lines - i, most));
}

/* Some strips of a group at a time. */
KERNEL_OUTLINE void exact_strips(kernel_kind kind, const panel_walk *w) {
    exact_columns c[COLUMN_STRIPS];
    for (uint64_t i = 0; i < w->lines; i += COLUMN_STRIPS * (uint64_t)COLUMN_LINES) {
        panel_walk strip[COLUMN_STRIPS] = {strip_of(w, i)};
        unsigned strips = 1;
        for (; strips < COLUMN_STRIPS && i + (uint64_t)strips * COLUMN_LINES < w->lines; strips++)
            strip[strips] = strip_of(w, i + (uint64_t)strips * COLUMN_LINES);
        exact_side_by_side(kind, strip, strips, false, c);
    }
}

KERNEL_INLINE void exact_group(kernel_kind kind, const panel_walk *w) {
    const bool alone = w->lines < FEW_COLUMNS || lines_are_strided(w) ||
                       (both_contiguous(w) && w->length >= LONG_LINE);
    const uint64_t rest = w->length >= LONG_LINE ? w->lines % COLUMN_LINES : 0;
    const uint64_t together = alone ? 0 : w->lines - rest;
    const panel_walk whole_strips = some_lines(w, 0, together);
    const panel_walk others = some_lines(w, together, w->lines - together);
    if (together)
        exact_strips(kind, &whole_strips);
    if (others.lines)
        exact_alone(kind, &others);
}

/* CROSSED_STRIPS groups of a crossed shape, a strip of each at a time: the lines of whole strips.
 * Returns their number. Outlined, so that its memory is not on the stack with theirs. */
KERNEL_OUTLINE uint64_t exact_crossed_strips(kernel_kind kind, const panel_walk *w) {
    uint64_t i = 0;
    for (; i + COLUMN_LINES <= w->lines; i += COLUMN_LINES) {
        panel_walk strip[CROSSED_STRIPS];
        for (unsigned s = 0; s < CROSSED_STRIPS; s++) {
            const panel_walk group = some_groups(w, s, 1);
            strip[s] = strip_of(&group, i);
        }
        exact_side_by_side(kind, strip, CROSSED_STRIPS, true, w->scratch);
    }
    return i;
}

KERNEL_INLINE void exact_crossed_groups(kernel_kind kind, const panel_walk *w) {
    const uint64_t i = exact_crossed_strips(kind, w);
    for (unsigned s = 0; s < CROSSED_STRIPS && i < w->lines; s++) {
        const panel_walk group = some_groups(w, s, 1);
        const panel_walk rest = some_lines(&group, i, w->lines - i);
        exact_group(kind, &rest);
    }
}

KERNEL_INLINE void exact_panel(kernel_kind kind, const panel_walk *w) {
    const bool crossed = w->scratch && w->in.group_step == (int64_t)kind_size(kind) &&
                         w->out.pattern == ACCESS_INTERLEAVED;
    uint64_t g = 0;
    for (; crossed && g + CROSSED_STRIPS <= w->groups; g += CROSSED_STRIPS) {
        const panel_walk groups = some_groups(w, g, CROSSED_STRIPS);
        exact_crossed_groups(kind, &groups);
    }
    for (; g < w->groups; g++) {
        const panel_walk group = some_groups(w, g, 1);
        exact_group(kind, &group);
    }
}

/* The functions of segments (segment.h). The carry is the sum of all elements before. Exact sums
 * may be added in any grouping, so the carry-out is the carry-in plus the segment's sum. */

/* Writes the outputs of a segment, or not, and moves the sum to its end. */
KERNEL_INLINE void exact_segment(kernel_kind kind, const panel_walk *w, bool writes,
                                 cumsum_wide_sum *sum) {
    exact_state s = {.is_wide = true, .wide = *sum};
    exact_line(kind, w, writes, &s);
    if (!s.is_wide)
        cumsum_exact_from_pair(is_half(kind), s.high, s.low, &s.wide);
    *sum = s.wide;
}

KERNEL_INLINE void exact_reduce(kernel_kind kind, const panel_walk *w, cumsum_segment_sums *sums) {
    sums->exact = (cumsum_wide_sum){.nan = false};
    exact_segment(kind, w, false, &sums->exact);
}

KERNEL_INLINE void exact_write(kernel_kind kind, const panel_walk *w,
                               const cumsum_segment_sums *before, void *carry,
                               const prefetch_range next) {
    cumsum_wide_sum copy = before ? before->exact : (cumsum_wide_sum){.nan = false};
    (void)next; /* arithmetic takes longer than memory */
    exact_segment(kind, w, true, carry ? carry : &copy);
}

#undef LOWER_BITS
#undef HALF_BIT
#undef LAST_BIT
#undef FEW_COLUMNS
#undef LONG_LINE

#endif
