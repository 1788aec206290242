/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_SEQUENTIAL_SEGMENTS_H
#define CUMSUM_CPU_SEQUENTIAL_SEGMENTS_H

/*
 * The sequential order of FLOAT32 on segments of a line (segment.h), for threads inside of a line.
 *
 * Parts of a segment are scanned as integers (binade_scan.h) without the tally before them, for the
 * binade that a guess of it has. What is written is the encodings of the sums less that of the
 * tally. When the tally is there, two comparisons say whether all sums of a part are in its binade.
 * If so, its outputs lack nothing but the encoding of the tally, which `write` adds. The other
 * parts are scanned again. docs/kernels.md has the proof.
 */

#include "binade_scan.h"
#include "strided_lines.h"

/* Added to all differences, so that none passes 0. It is even, and that matters. */
#define ORIGIN 0x80000000u
#define RANGE  0x800000u /* the length of a binade */

/* The sums of a part on the way, for an even tally. */
typedef struct part_sums {
    v32 carry; /* of the elements so far, in all lanes */
    v32 least; /* of the sums of the elements in each lane */
    v32 greatest;
} part_sums;

/* The sums of the block at position k replace its elements. */
KERNEL_INLINE void add_block_to_part(kernel_kind kind, const binade *b, v32 v[BLOCK_VECTORS32],
                                     uint32_t k, part_sums *sums, cumsum_part *part) {
    v32 r[BLOCK_VECTORS32], addend;
    const unsigned ties = split_block(kind, b, v, r);
    if (!ties) {
        sums->carry = integer_block(v, sums->carry);
    } else {
        sums->carry = integer_block_with_ties(kind, v, r, ties, sums->carry, &addend);
        if (part->tie == CUMSUM_PART) {
            part->odd = float_bits(first_lane(addend)) ? UINT32_MAX : 1;
            while (!(ties >> (part->tie - CUMSUM_PART) & 1))
                part->tie++;
            part->tie += k - CUMSUM_PART;
        }
    }
    UNROLL
    for (unsigned i = 0; i < BLOCK_VECTORS32; i++) {
        sums->least = min_u32(sums->least, v[i]);
        sums->greatest = max_u32(sums->greatest, v[i]);
    }
}

/* The bounds of a part. It has none if its sums left the range, which they do not come back into on
 * the way around 2^32 (docs/kernels.md). */
KERNEL_INLINE bool bound_part(const part_sums *sums, cumsum_part *part) {
    uint32_t least[LANES32], greatest[LANES32];
    store32(least, sums->least);
    store32(greatest, sums->greatest);
    for (unsigned i = 1; i < LANES32; i++) {
        least[0] = least[i] < least[0] ? least[i] : least[0];
        greatest[0] = greatest[i] > greatest[0] ? greatest[i] : greatest[0];
    }
    part->least = (int32_t)(least[0] - ORIGIN) - (part->odd != 0);
    part->greatest = (int32_t)(greatest[0] - ORIGIN) + (part->odd != 0);
    return least[0] >= ORIGIN - RANGE && greatest[0] <= ORIGIN + RANGE;
}

/* Scans the whole part `line` for the binade of a tally, into differences of encodings. */
KERNEL_INLINE void summarise_part(kernel_kind kind, const line32 line, float tally,
                                  cumsum_part *part) {
    binade b;
    const v32 origin = all_lanes_u32(ORIGIN);
    part_sums sums = {origin, origin, origin};
    v32 previous = origin;
    *part = (cumsum_part){.tie = CUMSUM_PART};
    if (!enter_binade(kind, float_bits(tally), &b))
        return;
    for (unsigned k = 0; k < CUMSUM_PART; k += LINE_BLOCK) {
        v32 v[BLOCK_VECTORS32];
        load_line_block32(kind, line, k, LINE_BLOCK, v);
        add_block_to_part(kind, &b, v, k, &sums, part);
        UNROLL
        for (unsigned i = 0; i < BLOCK_VECTORS32; i++) {
            const v32 inclusive = v[i];
            v[i] = line.exclusive ? shift_in32(inclusive, previous) : inclusive;
            previous = inclusive;
        }
        store_line_block32(KIND_I32, line, k, LINE_BLOCK, v);
    }
    part->sum = float_bits(first_lane(sums.carry)) - ORIGIN;
    if (bound_part(&sums, part))
        part->from = float_bits(tally) & 0xFF800000u;
}

/* A guess of the tally behind a part, which may be in another binade. */
KERNEL_INLINE float guess_behind(const cumsum_part *part, float tally) {
    if (!part->from)
        return tally;
    return tally + (float)(int32_t)part->sum * (float_of_bits(part->from) * 0x1p-23f);
}

/* Part number i of a segment, whose input may be gathered. */
KERNEL_INLINE line32 part_of(kernel_kind kind, const panel_walk *w, uint64_t i, unsigned count,
                             tile_copy32 *copy) {
    line32 line = tile_of32(kind, w, i * CUMSUM_PART, count, copy);
    line.stream = false;
    return line;
}

/* The `reduce` of cumsum_segment_functions: of the whole parts. */
KERNEL_INLINE void sequential_reduce(kernel_kind kind, const panel_walk *w,
                                     cumsum_segment_sums *sums) {
    float tally = sums->sequential.tally;
    for (uint64_t i = 0; i < w->length / CUMSUM_PART; i++) {
        tile_copy32 copy;
        cumsum_part *part = &sums->sequential.parts[i];
        summarise_part(kind, part_of(kind, w, i, CUMSUM_PART, &copy), tally, part);
        tally = guess_behind(part, tally);
    }
}

/* Adds a part to the tally if all of its sums are in the binade of both. */
KERNEL_INLINE bool add_part(kernel_kind kind, cumsum_part *part, float *tally) {
    const uint32_t bits = float_bits(*tally);
    const int32_t above = (int32_t)(bits & 0x7FFFFFu);
    if (!part->from || part->from != (bits & 0xFF800000u) || above + part->least <= 0 ||
        above + part->greatest > (int32_t)binade_span(kind, bits))
        return false;
    part->from = bits;
    *tally = float_of_bits(bits + part->sum + (bits & 1 ? part->odd : 0));
    return true;
}

/* The `advance` of cumsum_segment_functions: writes the parts that have no summary that holds. */
KERNEL_INLINE void sequential_advance(kernel_kind kind, const panel_walk *w,
                                      cumsum_segment_sums *sums, cumsum_carry *carry) {
    sequential_state state = SEQUENTIAL_START;
    state.tally = carry->sequential;
    for (uint64_t i = 0; i < w->length / CUMSUM_PART; i++) {
        cumsum_part *part = &sums->sequential.parts[i];
        if (add_part(kind, part, &state.tally))
            continue;
        tile_copy32 copy;
        sequential_elements(kind, part_of(kind, w, i, CUMSUM_PART, &copy), &state);
        part->from = 0;
    }
    carry->sequential = sums->sequential.tally = state.tally;
}

/* From the differences of a part to its outputs. From the first tie on they depend on the parity of
 * the tally. */
KERNEL_INLINE void finish_part(line32 line, const cumsum_part *part) {
    const uint32_t even = part->from - ORIGIN, odd = even + (part->from & 1 ? part->odd : 0);
    const unsigned changes = part->tie + line.exclusive;
    line.in = line.out;
    for (unsigned k = 0; k < CUMSUM_PART; k += LINE_BLOCK) {
        v32 v[BLOCK_VECTORS32];
        load_line_block32(KIND_I32, line, k, LINE_BLOCK, v);
        const v32 addend = all_lanes_u32(k < changes ? even : odd);
        UNROLL
        for (unsigned i = 0; i < BLOCK_VECTORS32; i++)
            v[i] = add_i32(v[i], addend);
        if (k < changes && changes < k + LINE_BLOCK)
            add_to_lanes(v, ALL_OF_BLOCK << (changes - k) & ALL_OF_BLOCK,
                         all_lanes_u32(odd - even));
        store_line_block32(KIND_I32, line, k, LINE_BLOCK, v);
    }
}

/* The parts of a segment, and what is behind them: the end of the line. */
KERNEL_INLINE void finish_segment(kernel_kind kind, const panel_walk *w,
                                  const cumsum_segment_sums *sums) {
    const uint64_t parts = w->length / CUMSUM_PART;
    tile_copy32 copy;
    for (uint64_t i = 0; i < parts; i++)
        if (sums->sequential.parts[i].from)
            finish_part(part_of(kind, w, i, CUMSUM_PART, &copy), &sums->sequential.parts[i]);
    sequential_state state = SEQUENTIAL_START;
    state.tally = sums->sequential.tally;
    if (w->length % CUMSUM_PART)
        sequential_elements(kind, part_of(kind, w, parts, w->length % CUMSUM_PART, &copy), &state);
}

/* The `write` of cumsum_segment_functions. */
KERNEL_INLINE void sequential_write(kernel_kind kind, const panel_walk *w,
                                    const cumsum_segment_sums *before, cumsum_carry *carry,
                                    const prefetch_range next) {
    (void)next;
    if (!carry) {
        finish_segment(kind, w, before);
        return;
    }
    sequential_state state = SEQUENTIAL_START;
    state.tally = carry->sequential;
    sequential_line(kind, w, &state);
    carry->sequential = state.tally;
}

#undef ORIGIN
#undef RANGE

#endif
