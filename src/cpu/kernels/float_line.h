/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FLOAT_LINE_H
#define CUMSUM_CPU_FLOAT_LINE_H

/*
 * A line of floats by itself: the blocked order, whose vectors run along the line
 * (line_scan.inl.h), and the sequential order, which allows vectors where the sum stays in one
 * binade (binade_scan.h) and where no order rounds. A line whose elements are apart in an operand
 * is read and written a tile at a time by way of a small buffer.
 */

#include "binade_scan.h"
#include "blocked_segments.h"
#include "lane_kernels.h"

/* Elements for which it pays to ask whether their sums are exact, and the pause from which it grows
 * no more. */
#define EXACT_ELEMENTS 64
#define LONG_PAUSE     4096

/* Elements that must have been scanned in binades for an attempt to be worth its time, and those
 * that are remembered. */
#define ATTEMPT_WORTH 32
#define WORTH_KEPT    4096

/* The blocked order, tile by tile. The levels above the tiles are touched only if the line has more
 * than one. */
KERNEL_INLINE void blocked_line(kernel_kind kind, const line32 line) {
    cumsum_level levels[CUMSUM_BLOCKED_LEVELS];
    line_carry32 c = {zero32(), zero32(), zero32()};
    if (line.length > LINE_TILE)
        memset(levels, 0, sizeof levels);
    for (uint64_t k = 0; k < line.length; k += LINE_TILE) {
        const uint64_t remaining = line.length - k;
        scan_line32(kind, line, k, cumsum_least(remaining, LINE_TILE), &c);
        if (remaining > LINE_TILE) {
            c.tiles = all_lanes_f32(
                push_line_total(kind, levels, 0, k / LINE_TILE, first_lane(c.blocks)));
            c.blocks = zero32();
        }
    }
}

/* Joined lines of w->period elements, fewer than a block (join_short_lines). Lanes are elements: a
 * block holds some lines, for which the network stops at the stage of their length. */
KERNEL_INLINE void blocked_joined_lines(kernel_kind kind, const panel_walk *w) {
    line32 all = line_of32(*w, 0); /* all lines end to end: whole blocks */
    all.length = w->lines * w->length;
    uint32_t inside[LINE_BLOCK]; /* a mask: all ones but in the lanes where a line begins */
    for (unsigned i = 0; i < LINE_BLOCK; i++)
        inside[i] = i % (unsigned)w->period ? UINT32_MAX : 0;
    for (uint64_t k = 0; k < all.length; k += LINE_BLOCK) {
        v32 v[LINE_BLOCK / LANES32], previous = zero32();
        prefetch_block32(kind, all, k);
        load_line_block32(kind, all, k, LINE_BLOCK, v);
        network_stages(kind, (unsigned)w->period, v);
        UNROLL
        for (size_t r = 0; r < LINE_BLOCK / LANES32; r++) {
            /* S(0) is +0: this turns a leading -0 into +0, as the order's base does. */
            const v32 sums = add_elements32(kind, zero32(), v[r]);
            if (all.exclusive)
                v[r] = and32(shift_in32(sums, previous), load32(inside + r * LANES32));
            else
                v[r] = sums;
            previous = sums;
        }
        store_line_block32(kind, all, k, LINE_BLOCK, v);
    }
}

/* What is left of each magnitude when it is rounded by adding `power`, as a magnitude. */
KERNEL_INLINE v32 rest_of_multiple(v32 v, v32 power) {
    const v32 magnitude = abs_f32(v);
    return abs_f32(sub_f32(sub_f32(add_f32(magnitude, power), power), magnitude));
}

/*
 * Whether every partial sum of an accumulator and some elements is exact, in any order. It is if
 * all of them are multiples of a power of two, 2^k, and their magnitudes add up to less than 2^(k +
 * 24): then any sum of some of them is such a multiple too, below 2^(k + 24) in magnitude, and
 * binary32 holds all of those. The smallest k that the sum of the magnitudes, A, allows is the best
 * one.
 *
 * A is rounded itself, but only if it reaches 2^(k + 24), and rounding is monotonic, so it cannot
 * come out below that again. With this k, 2^(k + 23) is the largest power of two up to A. Adding
 * that to a magnitude rounds it to a multiple of 2^k, or of 2^(k + 1) if it is as large itself,
 * which may say no where the answer is yes.
 *
 * The sign of zero is safe too: the last addition of each output has an accumulator as an operand
 * that is never -0, so its sum is not -0 either. k is at least -126, so nothing is subnormal. Not
 * for a binary16 accumulator, which has 13 bits less.
 */
KERNEL_INLINE bool sums_are_exact(const float *x, unsigned elements, float accumulator) {
    v32 even = zero32(), odd = zero32(); /* two chains of additions take half the time of one */
    for (unsigned i = 0; i < elements; i += 2 * LANES32) {
        even = add_f32(even, abs_f32(load32(x + i)));
        if (i + LANES32 < elements)
            odd = add_f32(odd, abs_f32(load32(x + i + LANES32)));
    }
    float lanes[LANES32], sum = accumulator < 0 ? -accumulator : accumulator;
    store32(lanes, add_f32(even, odd));
    for (unsigned i = 0; i < LANES32; i++)
        sum += lanes[i];
    const uint32_t exponent = float_bits(sum) >> 23;
    if (exponent < 24 || exponent > 254)
        return sum == 0;
    const v32 power = all_lanes_u32(exponent << 23); /* 2^(k + 23) */
    even = rest_of_multiple(all_lanes_f32(accumulator), power);
    odd = zero32();
    for (unsigned i = 0; i < elements; i += 2 * LANES32) {
        even = add_f32(even, rest_of_multiple(load32(x + i), power));
        if (i + LANES32 < elements)
            odd = add_f32(odd, rest_of_multiple(load32(x + i + LANES32), power));
    }
    return !lanes_from_u32(add_f32(even, odd), 1);
}

KERNEL_INLINE unsigned elements_of_block(unsigned elements, unsigned first) {
    return elements - first < LINE_BLOCK ? elements - first : LINE_BLOCK;
}

/* A tile as floats. Vectors are loaded and stored as bytes, which may alias them. */
typedef union float_tile {
    v32 aligned;
    float x[LINE_TILE];
} float_tile;

KERNEL_INLINE void load_tile(kernel_kind kind, const line32 line, uint64_t k, unsigned elements,
                             float_tile *tile) {
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        v32 v[LINE_BLOCK / LANES32];
        load_line_block32(kind, line, k + i, elements_of_block(elements, i), v);
        UNROLL
        for (size_t j = 0; j < LINE_BLOCK / LANES32; j++)
            store32(tile->x + i + j * LANES32, v[j]);
    }
}

KERNEL_INLINE void store_tile(kernel_kind kind, const line32 line, uint64_t k, unsigned elements,
                              const float_tile *tile) {
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        v32 v[LINE_BLOCK / LANES32];
        UNROLL
        for (size_t j = 0; j < LINE_BLOCK / LANES32; j++)
            v[j] = load32(tile->x + i + j * LANES32);
        store_line_block32(kind, line, k + i, elements_of_block(elements, i), v);
    }
}

/* Whether the sums of a tile are exact. The first block alone tells of most tiles that they are
 * not; the last block is filled up with zeros. */
KERNEL_INLINE bool tile_is_exact(kernel_kind kind, const line32 line, uint64_t k, unsigned elements,
                                 float accumulator) {
    float_tile tile;
    load_tile(kind, line, k, LINE_BLOCK, &tile);
    if (!sums_are_exact(tile.x, LINE_BLOCK, accumulator))
        return false;
    load_tile(kind, line, k, elements, &tile);
    return sums_are_exact(tile.x, elements, accumulator);
}

/* An addition of FLOAT32 from memory to memory; returns the new accumulator. */
KERNEL_INLINE float add_float(kernel_kind kind, const unsigned char *from, unsigned char *to,
                              bool exclusive, float accumulator) {
    float x;
    memcpy(&x, from, sizeof x);
    const float next = add_scalars(kind, accumulator, flush_scalar(kind, x));
    if (exclusive)
        memcpy(to, &accumulator, sizeof accumulator);
    else
        memcpy(to, &next, sizeof next);
    return next;
}

/* One after the other. A loop of four takes no longer than the additions. */
KERNEL_INLINE float add_up_floats(kernel_kind kind, const unsigned char *from, unsigned char *to,
                                  ptrdiff_t step, unsigned elements, bool exclusive,
                                  float accumulator) {
    unsigned i = 0;
    for (; i + 4 <= elements; i += 4) {
        UNROLL
        for (int j = 0; j < 4; j++)
            accumulator = add_float(kind, from + j * step, to + j * step, exclusive, accumulator);
        from += 4 * step;
        to += 4 * step;
    }
    for (; i < elements; i++, from += step, to += step)
        accumulator = add_float(kind, from, to, exclusive, accumulator);
    return accumulator;
}

KERNEL_INLINE float add_up_line(kernel_kind kind, const line32 line, uint64_t k, unsigned elements,
                                float accumulator) {
    const unsigned char *from = line.in + piece_offset32(kind, line, k, 1);
    unsigned char *to = line.out + piece_offset32(kind, line, k, 1);
    const ptrdiff_t size = sizeof(float);
    if (line.exclusive)
        return add_up_floats(kind, from, to, line.reversed ? -size : size, elements, true,
                             accumulator);
    if (line.reversed)
        return add_up_floats(kind, from, to, -size, elements, false, accumulator);
    return add_up_floats(kind, from, to, size, elements, false, accumulator);
}

/* FLOAT16, which vectors convert. Blocks are so short that the processor converts the next one
 * while it adds up this one. */
KERNEL_INLINE float add_up_halves(kernel_kind kind, const line32 line, uint64_t k,
                                  unsigned elements, float accumulator) {
    for (unsigned i = 0; i < elements; i += LINE_BLOCK) {
        const unsigned count = elements_of_block(elements, i);
        float_tile tile;
        unsigned char *const x = (unsigned char *)tile.x;
        load_tile(kind, line, k + i, count, &tile);
        if (line.exclusive)
            accumulator = add_up_floats(kind, x, x, sizeof(float), count, true, accumulator);
        else
            accumulator = add_up_floats(kind, x, x, sizeof(float), count, false, accumulator);
        store_tile(kind, line, k + i, count, &tile);
    }
    return accumulator;
}

/* Where a line in the sequential order has got to: all zero at its start. */
typedef struct sequential_state {
    float accumulator;
    unsigned
        pause;     /* elements to add up one by one when the sum next leaves its binade; 0: start */
    unsigned left; /* of these, still to be added up */
    unsigned worth; /* what the last scans in a binade saved, in elements */
    bool exact;     /* the elements before were scanned by the network */
} sequential_state;

/* A tile, or as much as a pause, by the network if that gives the same bits. Returns the position
 * behind what was scanned. */
KERNEL_INLINE uint64_t scan_if_exact(kernel_kind kind, const line32 line, uint64_t k,
                                     sequential_state *state) {
    const uint64_t most = cumsum_least(state->pause, LINE_TILE);
    const unsigned elements = (unsigned)cumsum_least(line.length - k, most);
    const bool was_exact = state->exact;
    state->exact = elements >= EXACT_ELEMENTS && kind != KIND_F16_NARROW &&
                   tile_is_exact(kind, line, k, elements, state->accumulator);
    if (state->exact) {
        line_carry32 c = {all_lanes_f32(state->accumulator), zero32(),
                          all_lanes_f32(state->accumulator)};
        scan_line32(kind, line, k, elements, &c);
        state->accumulator = first_lane(add_f32(c.tiles, c.blocks));
        return k + elements;
    }
    if (was_exact)
        state->pause = LINE_BLOCK;
    else
        state->left = state->pause;
    return k;
}

/* After an attempt that scanned so many elements: the shortest pause if such scans pay for
 * attempts. A factor of 2 would let a sum that doubles during each pause meet the end of a binade
 * behind each of them. */
KERNEL_INLINE void choose_pause(sequential_state *state, uint64_t scanned) {
    state->worth =
        scanned < WORTH_KEPT - state->worth ? state->worth + (unsigned)scanned : WORTH_KEPT;
    if (state->worth >= ATTEMPT_WORTH) {
        state->worth -= ATTEMPT_WORTH;
        state->pause = LINE_BLOCK;
    } else if (state->pause < LONG_PAUSE) {
        state->pause *= 3;
    }
}

/*
 * Scans `line` in the sequential order. While the sums stay in the binade of the accumulator, they
 * are scanned as integers. When they leave it, the next `pause` elements are added up one by one,
 * unless their sums are exact; choose_pause says how many. So data that leaves its binade again and
 * again takes as long as one addition after the other.
 */
KERNEL_INLINE void sequential_elements(kernel_kind kind, const line32 line,
                                       sequential_state *state) {
    uint64_t k = 0;
    if (!state->pause)
        state->pause = LINE_BLOCK;
    while (k < line.length) {
        if (!state->left) {
            const uint64_t start = k;
            if (!state->exact)
                k = scan_in_binade(kind, line, k, &state->accumulator);
            choose_pause(state, k - start);
            k = scan_if_exact(kind, line, k, state);
        }
        const unsigned count = (unsigned)cumsum_least(line.length - k, state->left);
        state->accumulator = is_half(kind) ? add_up_halves(kind, line, k, count, state->accumulator)
                                           : add_up_line(kind, line, k, count, state->accumulator);
        state->left -= count;
        k += count;
    }
}

/* A line, or a piece of one, in the blocked order: a segment. */
KERNEL_INLINE void blocked_line_from(kernel_kind kind, const panel_walk *w, void *carry) {
    blocked_write(kind, w, NULL, carry, (prefetch_range){0});
}

/* Line after line in the blocked order. */
KERNEL_INLINE void blocked_one_by_one(kernel_kind kind, const panel_walk *w) {
    cumsum_blocked_carry carries[MOST_IN_TURN];
    if (!both_contiguous(w))
        scan_in_turn(kind, w, blocked_line_from, carries, sizeof *carries);
    for (uint64_t i = 0; both_contiguous(w) && i < w->lines; i++)
        blocked_line(kind, line_of32(*w, line_at(w, i)));
}

/* A line in the sequential order, or a piece of one: where it lies if it is contiguous, otherwise
 * tile by tile. A carry is that of a single line, which is one piece. */
KERNEL_INLINE void sequential_line(kernel_kind kind, const panel_walk *w, void *state) {
    sequential_state *const s = state;
    float *const carry = w->carry;
    line32 piece = line_of32(*w, 0);
    tile_copy32 copy;
    if (carry)
        s->accumulator = *carry;
    for (uint64_t k = 0; k < w->length; k += piece.length) {
        if (!both_contiguous(w))
            piece = tile_of32(kind, w, k, tile_count32(w, k), &copy);
        sequential_elements(kind, piece, s);
        tile_done32(kind, w, k, (unsigned)piece.length, &copy);
    }
    if (carry)
        *carry = s->accumulator;
}

/* Line after line; for very few lines, or a single one, which may have a carry. */
KERNEL_INLINE void sequential_one_by_one(kernel_kind kind, const panel_walk *w) {
    sequential_state states[MOST_IN_TURN];
    scan_in_turn(kind, w, sequential_line, states, sizeof *states);
}

#endif
