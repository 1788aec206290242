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
    COLUMN_LINES = 16,  /* whose elements of an index are a cache line of FLOAT32 */
    COLUMN_PIECE = 256, /* elements of them that are brought together: 16 KiB */
    COLUMN_STEP = COLUMN_PIECE + 16
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
    double shift; /* two grids: adding this rounds to a multiple of the upper one */
    double high;  /* the sum so far in the grids */
    double low;
} exact_grid;

KERNEL_INLINE uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

KERNEL_INLINE double double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

KERNEL_INLINE double power_of_two(int exponent) {
    return double_of_bits((uint64_t)(exponent + 1023) << 52);
}

KERNEL_INLINE double double_magnitude(double value) {
    return value < 0 ? -value : value;
}

/* To the nearest multiple of the grid that `shift` belongs to. */
KERNEL_INLINE double on_grid(double value, double shift) {
    return value + shift - shift;
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

/* Chooses the grids of a tile; false if two are not enough. */
KERNEL_INLINE bool find_grid(kernel_kind kind, const float *x, unsigned elements,
                             const exact_state *s, exact_grid *grid) {
    uint32_t most, least;
    find_range(x, elements, &most, &least);
    if (most >= 0x7F800000u)
        return false;
    const double bound = double_magnitude(s->high) + double_magnitude(s->low) +
                         elements * (double)float_of_bits(most);
    const int exponent = (int)(double_bits(bound) >> 52) - 1022; /* bound < 2^exponent */
    const double upper = power_of_two((exponent < -149 ? -149 : exponent) - 51);
    const double shift = upper * 0x1.8p52, lowest = (double)float_of_bits(least);
    const double high = on_grid(s->high, shift), rest = s->high - high, low = rest + s->low;
    *grid = (exact_grid){false, shift, s->high, 0};
    if (s->low == 0 && (is_half(kind) ? exponent <= 28 : rest == 0 && lowest >= upper * 0x1p23))
        return true;
    const double lower = upper * 0x1p-42;
    *grid = (exact_grid){true, shift, high, low};
    return !is_half(kind) && lowest >= lower * 0x1p23 && low - rest == s->low &&
           on_grid(low, lower * 0x1.8p52) == low;
}

/* Moves a sum that binary32 has to round at its last bit off the tie, to the side of `error`, which
 * is what the sum lacks. */
KERNEL_INLINE double off_the_tie(double sum, double error) {
    const uint64_t bits = double_bits(sum);
    if (error == 0 || (bits & LOWER_BITS) != HALF_BIT)
        return sum;
    return double_of_bits((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/* The same of a block whose sums are high + low, rounded to `sums`. Ties are rare. */
KERNEL_OUTLINE void block_off_the_ties(const v64 high[BLOCK_VECTORS64],
                                       const v64 low[BLOCK_VECTORS64], v64 sums[BLOCK_VECTORS64]) {
    for (unsigned j = 0; j < BLOCK_VECTORS64; j++) {
        const v64 part = sub_f64(sums[j], high[j]); /* TwoSum (Knuth) */
        const v64 error = add_f64(sub_f64(high[j], sub_f64(sums[j], part)), sub_f64(low[j], part));
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
    for (unsigned j = 0; j < BLOCK_VECTORS64; j++) {
        sums[j] = two ? add_f64(high[j], low[j]) : high[j];
        if (is_half(kind))
            sums[j] = round_to_odd(sums[j]);
        if (two)
            ties |= ties_of(sums[j]);
    }
    if (ties)
        block_off_the_ties(high, low, sums);
    UNROLL
    for (unsigned i = 0; i < BLOCK_VECTORS32; i++) {
        out[i] = narrow_f64(sums[2 * i], sums[2 * i + 1]);
        if (kind == KIND_F32_FLUSH)
            out[i] = flush_f32(out[i]);
    }
}

/* The output of a sum by itself. */
KERNEL_INLINE v32 round_state(kernel_kind kind, const exact_state *s) {
    v64 high[BLOCK_VECTORS64], low[BLOCK_VECTORS64];
    v32 out[BLOCK_VECTORS32];
    for (unsigned j = 0; j < BLOCK_VECTORS64; j++) {
        high[j] = all_lanes_u64(double_bits(s->high));
        low[j] = all_lanes_u64(double_bits(s->low));
    }
    round_block(kind, !is_half(kind), high, low, out);
    return out[0];
}

/* A block of elements in the grids. */
KERNEL_INLINE void load_on_grids(const float *x, bool two, v64 shift, v64 high[BLOCK_VECTORS64],
                                 v64 low[BLOCK_VECTORS64]) {
    UNROLL
    for (unsigned i = 0; i < BLOCK_VECTORS32; i++) {
        const v32 v = load32(x + (size_t)i * LANES32);
        high[2 * i] = low_f64(v);
        high[2 * i + 1] = high_f64(v);
    }
    UNROLL
    for (unsigned j = 0; j < BLOCK_VECTORS64; j++) {
        const v64 value = high[j];
        if (two)
            high[j] = sub_f64(add_f64(value, shift), shift);
        low[j] = two ? sub_f64(value, high[j]) : zero64();
    }
}

/* Adds up a block in one grid, from `carry` on. */
KERNEL_INLINE void scan_grid(v64 v[BLOCK_VECTORS64], v64 *carry) {
    const v64 before = *carry;
    network64(KIND_F64, v);
    *carry = add_f64(before, last64(v[BLOCK_VECTORS64 - 1]));
    UNROLL
    for (unsigned j = 0; j < BLOCK_VECTORS64; j++)
        v[j] = add_f64(before, v[j]);
}

KERNEL_INLINE double first_double(v64 v) {
    double lanes[LANES64];
    store64(lanes, v);
    return lanes[0];
}

/* Replaces the elements by their outputs. */
KERNEL_INLINE void scan_on_grids(kernel_kind kind, bool two, float *x, unsigned elements,
                                 bool exclusive, exact_grid *grid, v32 previous) {
    const v64 shift = all_lanes_u64(double_bits(grid->shift));
    v64 carry_high = all_lanes_u64(double_bits(grid->high));
    v64 carry_low = all_lanes_u64(double_bits(grid->low));
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        v64 high[BLOCK_VECTORS64], low[BLOCK_VECTORS64];
        v32 out[BLOCK_VECTORS32];
        load_on_grids(x + i, two, shift, high, low);
        scan_grid(high, &carry_high);
        if (two)
            scan_grid(low, &carry_low);
        round_block(kind, two, high, low, out);
        UNROLL
        for (unsigned j = 0; j < BLOCK_VECTORS32; j++) {
            store32(x + i + (size_t)j * LANES32, exclusive ? shift_in32(out[j], previous) : out[j]);
            previous = out[j];
        }
    }
    grid->high = first_double(carry_high);
    grid->low = first_double(carry_low);
}

/* Adds the elements to the sum, without outputs. */
KERNEL_INLINE void sum_on_grids(bool two, const float *x, unsigned elements, exact_grid *grid) {
    const v64 shift = all_lanes_u64(double_bits(grid->shift));
    v64 high[2][BLOCK_VECTORS64], low[2][BLOCK_VECTORS64]; /* of a block, and the sums of lanes */
    for (unsigned j = 0; j < BLOCK_VECTORS64; j++)
        high[1][j] = low[1][j] = zero64();
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        load_on_grids(x + i, two, shift, high[0], low[0]);
        UNROLL
        for (unsigned j = 0; j < BLOCK_VECTORS64; j++) {
            high[1][j] = add_f64(high[1][j], high[0][j]);
            low[1][j] = add_f64(low[1][j], low[0][j]);
        }
    }
    for (unsigned j = 0; j < BLOCK_VECTORS64; j++) {
        double lanes[2][LANES64];
        store64(lanes[0], high[1][j]);
        store64(lanes[1], low[1][j]);
        for (unsigned i = 0; i < LANES64; i++) {
            grid->high += lanes[0][i];
            grid->low += lanes[1][i];
        }
    }
}

/* Adds up to a tile of elements, filled up with zeros to whole blocks; their outputs replace them
 * if `writes`. False if the grids are not enough: then nothing has changed. */
KERNEL_INLINE bool exact_floats(kernel_kind kind, float *x, unsigned elements, bool exclusive,
                                bool writes, exact_state *s) {
    exact_grid grid;
    if (s->is_wide)
        s->is_wide = !cumsum_exact_pair(is_half(kind), &s->wide, &s->high, &s->low);
    if (s->is_wide || !find_grid(kind, x, elements, s, &grid))
        return false;
    const v32 previous = exclusive && writes ? round_state(kind, s) : zero32();
    if (!writes && grid.two)
        sum_on_grids(true, x, elements, &grid);
    else if (!writes)
        sum_on_grids(false, x, elements, &grid);
    else if (!grid.two || is_half(kind))
        scan_on_grids(kind, false, x, elements, exclusive, &grid, previous);
    else
        scan_on_grids(kind, true, x, elements, exclusive, &grid, previous);
    const double sum = grid.high + grid.low, part = sum - grid.high;
    s->low = (grid.high - (sum - part)) + (grid.low - part);
    s->high = sum;
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

/* A line of any access pattern, tile by tile. */
KERNEL_INLINE void exact_line(kernel_kind kind, const panel_walk *w, bool writes, exact_state *s) {
    for (uint64_t k = 0; k < w->length; k += LINE_TILE) {
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
}

/* Lines that are neighbours: pieces of COLUMN_LINES of them, each transposed into a row. */
typedef struct column_pieces {
    float rows[COLUMN_LINES][COLUMN_STEP];
    exact_state states[COLUMN_LINES];
} column_pieces;

/* The LANES32 lines from `line` on of a square block: as many of `lines` as it has. */
KERNEL_INLINE unsigned lines_from(unsigned line, unsigned lines) {
    return lines <= line ? 0 : lines - line < LANES32 ? lines - line : LANES32;
}

/* Where the elements that the scan visits at position k begin. */
KERNEL_INLINE int64_t row_offset(const panel_walk *w, const operand of, uint64_t k) {
    return (int64_t)(w->reversed ? w->length - 1 - k : k) * of.element_step;
}

KERNEL_INLINE void load_columns(kernel_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                                unsigned lines, column_pieces *c) {
    for (unsigned i = 0; i < count; i += LANES32) {
        for (unsigned l = 0; l < lines; l += LANES32) {
            const unsigned there = lines_from(l, lines);
            v32 v[LANES32];
            for (unsigned r = 0; r < LANES32; r++) {
                const unsigned char *row =
                    w->input + row_offset(w, w->in, k + i + r) + (size_t)l * kind_size(kind);
                if (i + r >= count)
                    v[r] = zero32();
                else
                    v[r] = there == LANES32 ? load_elements32(kind, row)
                                            : load_tail32(kind, row, there);
            }
            transpose32(v);
            for (unsigned r = 0; r < LANES32; r++)
                store32(c->rows[l + r] + i, v[r]);
        }
    }
}

KERNEL_INLINE void store_columns(kernel_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                                 unsigned lines, const column_pieces *c) {
    for (unsigned i = 0; i < count; i += LANES32) {
        for (unsigned l = 0; l < lines; l += LANES32) {
            const unsigned there = lines_from(l, lines);
            v32 v[LANES32];
            for (unsigned r = 0; r < LANES32; r++)
                v[r] = load32(c->rows[l + r] + i);
            transpose32(v);
            for (unsigned r = 0; r < LANES32 && i + r < count; r++) {
                unsigned char *row =
                    w->output + row_offset(w, w->out, k + i + r) + (size_t)l * kind_size(kind);
                if (there == LANES32)
                    store_elements32(kind, row, v[r]);
                else
                    store_tail32(kind, row, v[r], there);
            }
        }
    }
}

/* A line's piece by integers, from memory to memory, and its outputs into its row. */
KERNEL_OUTLINE void column_by_integers(kernel_kind kind, const panel_walk *w, uint64_t k,
                                       unsigned count, float *row, exact_state *s) {
    exact_by_integers(kind, w, k, count, true, s);
    for (unsigned i = 0; i < count; i++)
        row[i] = first_lane(load_tail32(kind, w->output + row_offset(w, w->out, k + i), 1));
}

/* Up to COLUMN_LINES lines from end to end. */
KERNEL_INLINE void exact_columns(kernel_kind kind, const panel_walk *w) {
    const unsigned lines = (unsigned)w->lines;
    column_pieces c;
    for (unsigned l = 0; l < lines; l++) {
        c.states[l].high = c.states[l].low = 0;
        c.states[l].is_wide = false;
    }
    for (uint64_t k = 0; k < w->length; k += COLUMN_PIECE) {
        const uint64_t remaining = w->length - k;
        const unsigned count = remaining < COLUMN_PIECE ? (unsigned)remaining : COLUMN_PIECE;
        const unsigned whole = (count + LINE_BLOCK - 1) / LINE_BLOCK * LINE_BLOCK;
        load_columns(kind, w, k, count, lines, &c);
        for (unsigned l = 0; l < lines; l++) {
            const panel_walk line = one_line(w, l);
            if (!exact_floats(kind, c.rows[l], whole, w->exclusive, true, &c.states[l]))
                column_by_integers(kind, &line, k, count, c.rows[l], &c.states[l]);
        }
        store_columns(kind, w, k, count, lines, &c);
    }
}

/* Fewer lines than this are gathered one by one. */
#define FEW_COLUMNS 4

KERNEL_INLINE void exact_group(kernel_kind kind, const panel_walk *w) {
    const bool columns = w->lines >= FEW_COLUMNS && w->in.pattern == ACCESS_INTERLEAVED &&
                         w->out.pattern == ACCESS_INTERLEAVED;
    for (uint64_t i = 0; i < w->lines; i += columns ? COLUMN_LINES : 1) {
        panel_walk piece = one_line(w, i);
        if (columns) {
            piece.lines = w->lines - i < COLUMN_LINES ? w->lines - i : COLUMN_LINES;
            exact_columns(kind, &piece);
        } else {
            exact_state s;
            s.high = s.low = 0;
            s.is_wide = false;
            exact_line(kind, &piece, true, &s);
        }
    }
}

KERNEL_INLINE void exact_panel(kernel_kind kind, const panel_walk *w, tail_function32 *tail) {
    (void)tail;
    for (uint64_t g = 0; g < w->groups; g++) {
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

KERNEL_INLINE void exact_advance(kernel_kind kind, uint64_t length, cumsum_segment_sums *sums,
                                 cumsum_carry *carry) {
    const cumsum_wide_sum before = carry->exact;
    (void)kind;
    (void)length;
    cumsum_wide_sum_add(&carry->exact, &sums->exact);
    sums->exact = before;
}

KERNEL_INLINE void exact_write(kernel_kind kind, const panel_walk *w,
                               const cumsum_segment_sums *before, cumsum_carry *carry,
                               const prefetch_range next) {
    cumsum_wide_sum sum = carry ? carry->exact : before->exact;
    (void)next; /* arithmetic takes longer than memory */
    exact_segment(kind, w, true, &sum);
    if (carry)
        carry->exact = sum;
}

#undef LOWER_BITS
#undef HALF_BIT
#undef LAST_BIT
#undef FEW_COLUMNS

#endif
