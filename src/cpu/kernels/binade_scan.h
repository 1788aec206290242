/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_BINADE_SCAN_H
#define CUMSUM_CPU_BINADE_SCAN_H

/*
 * The sequential order of a contiguous line of floats by vectors along the line: while the sum
 * stays in one binade, [2^e, 2^(e+1)], its rounded additions are additions of integers, and those
 * can be grouped in any way. docs/kernels.md has the proof. A block whose sums leave the
 * binade is left to the caller (float_line.h). Speculating on one binade has a precedent in N.
 * Kapre and A. DeHon, Optimistic Parallelization of Floating-Point Accumulation, ARITH 2007.
 *
 * In units of u, the last place of the binade, the sum is an integer S and an element is q + r: q
 * is the nearest integer and |r| <= 1/2. Then the rounded sum is S + q if |r| < 1/2. At a tie, |r|
 * = 1/2, it is the even one of two neighbours, so it depends on S, but only on the parity of S; and
 * behind the tie S is even, whatever it was. Consecutive floats of a binade have consecutive
 * encodings. So the encoding of the sum is S plus a constant, and no conversion back is needed.
 *
 * Invariant: `carry` has the encoding of the sum in all lanes, and that sum is in the binade.
 */

#include "lane_kernels.h"

enum {
    BLOCK_VECTORS32 = LINE_BLOCK / LANES32,
    ALL_OF_BLOCK = (1 << LINE_BLOCK) - 1, /* the lanes of a block as bits, the first one lowest */
    HALF_U = 0x3F000000                   /* the encoding of 1/2 */
};

#define LESS_THAN_QUARTER 0xBE800001u /* the encoding of the number below -1/4 */

typedef struct binade {
    v32 scale;     /* times an element: the element in units of u; negative for a negative sum */
    v32 from;      /* plus an encoding: 0 right above the binade's lower end */
    uint32_t span; /* the encodings from there on that are in the binade */
} binade;

/* u as a difference of the encodings of two accumulators: a binary16 accumulator has 13 bits less.
 */
KERNEL_INLINE uint32_t unit_bits(kernel_kind kind) {
    return kind == KIND_F16_NARROW ? 1u << 13 : 1;
}

/* The exponent of the top binade, as encodings have it. */
KERNEL_INLINE uint32_t top_exponent(kernel_kind kind) {
    return kind == KIND_F16_NARROW ? 142 : 254;
}

/* The encodings above the lower end of the accumulator's binade that are in it. */
KERNEL_INLINE uint32_t binade_span(kernel_kind kind, uint32_t accumulator) {
    return (accumulator >> 23 & 255) == top_exponent(kind) ? 0x7FFFFF : 0x800000;
}

/*
 * Describes the binade of the accumulator with this encoding, if sums in it can be scanned: not for
 * zero, NaN, infinities and the lowest binades, whose u is too small to be scaled by, or, of a
 * binary16 accumulator, is no longer 2^-10 of the sum. The upper end belongs to the binade, except
 * where it is not finite.
 */
KERNEL_INLINE bool enter_binade(kernel_kind kind, uint32_t accumulator, binade *b) {
    const bool narrow = kind == KIND_F16_NARROW;
    const uint32_t exponent = accumulator >> 23 & 255;
    if (exponent < (narrow ? 113 : 24) || exponent > top_exponent(kind))
        return false;
    const uint32_t power = accumulator & 0xFF800000u; /* the lower end */
    b->scale = all_lanes_u32((accumulator & 0x80000000u) | ((narrow ? 264 : 277) - exponent) << 23);
    b->from = all_lanes_u32(~power); /* -(power + 1) */
    b->span = binade_span(kind, accumulator);
    return true;
}

/* q, as differences of encodings, of elements in units of u. If q does not fit into 32 bits, or the
 * element is NaN, the difference is more than 2^30 in magnitude, modulo 2^32, so that the sum
 * leaves the binade. */
KERNEL_INLINE v32 nearest_units(kernel_kind kind, v32 scaled, v32 r) {
    if (kind == KIND_F16_NARROW)
        return nearest_i32(mul_f32(sub_f32(scaled, r), all_lanes_f32(0x1p13f)));
    return nearest_i32(scaled);
}

/* The lanes of a block that have a bit, and those that are at least `limit`, as bits. */

KERNEL_INLINE unsigned block_lanes_with(const v32 v[BLOCK_VECTORS32], uint32_t bit) {
    unsigned lanes = 0;
    UNROLL
    for (unsigned i = 0; i < BLOCK_VECTORS32; i++)
        lanes |= lanes_with32(v[i], bit) << i * LANES32;
    return lanes;
}

KERNEL_INLINE unsigned block_lanes_from(const v32 v[BLOCK_VECTORS32], uint32_t limit) {
    unsigned lanes = 0;
    UNROLL
    for (unsigned i = 0; i < BLOCK_VECTORS32; i++)
        lanes |= lanes_from_u32(v[i], limit) << i * LANES32;
    return lanes;
}

/* Adds a number to these lanes of a block. */
KERNEL_INLINE void add_to_lanes(v32 v[BLOCK_VECTORS32], unsigned lanes, v32 addend) {
    UNROLL
    for (unsigned i = 0; i < BLOCK_VECTORS32; i++)
        v[i] = add_lanes32(v[i], lanes >> i * LANES32, addend);
}

/* Bit i of the answer is the parity of the bits 0 to i. */
KERNEL_INLINE unsigned prefix_parity(unsigned bits) {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    return bits ^ bits << 8;
}

/* What the first tie of a block adds to the outputs from there on depends on the carry-in. */
typedef struct first_tie {
    unsigned from; /* these outputs, as bits */
    uint32_t flip; /* u if an even carry-in makes the tie's S + floor odd, otherwise 0 */
} first_tie;

/*
 * Resolves the ties of a block for an even carry-in, except for the first one. A tie's element is
 * floor + 1/2, so its sum is S + floor, and one more if that is odd. Without these corrections a
 * prefix has the parity of its floors. With them, the sum is even behind each tie, so S + floor is
 * odd at a tie if the parities of the prefixes of this tie and of the one before it differ.
 *
 * `even_before` moves the parity of each tie to the next: adding a bit right above a tie ripples
 * through the ones between the two, and stops in the zero that the next tie has in ~ties.
 */
static inline first_tie resolve_ties(kernel_kind kind, v32 q[BLOCK_VECTORS32],
                                     const v32 r[BLOCK_VECTORS32], unsigned ties) {
    const unsigned negative = block_lanes_with(r, 0x80000000u);
    /* The nearest even integer is above the floor if r is negative. */
    const unsigned floors = block_lanes_with(q, unit_bits(kind)) ^ (ties & negative);
    const unsigned parity = prefix_parity(floors);
    const unsigned before = ((~ties & ALL_OF_BLOCK) + ((parity & ties) << 1)) & ties;
    const unsigned first = ties & (~ties + 1);
    const unsigned odd = (parity ^ before) & ties & ~first;
    add_to_lanes(q, ties & negative, all_lanes_u32(0u - unit_bits(kind)));
    add_to_lanes(q, odd, all_lanes_u32(unit_bits(kind)));
    const first_tie tie = {.from = (0u - first) & ALL_OF_BLOCK,
                           .flip = parity & first ? unit_bits(kind) : 0};
    return tie;
}

/*
 * Whether the outputs of a block are in the binade, and right. At its lower end one is right if the
 * sum was rounded up by 1/4 at most, because the numbers below that end are half as far apart. A
 * tie there is left to the caller.
 */
KERNEL_INLINE bool stays_in_binade(const binade *b, const v32 out[BLOCK_VECTORS32],
                                   const v32 r[BLOCK_VECTORS32], unsigned ties) {
    v32 above[BLOCK_VECTORS32];
    UNROLL
    for (unsigned i = 0; i < BLOCK_VECTORS32; i++)
        above[i] = add_i32(out[i], b->from);
    const unsigned outside = block_lanes_from(above, b->span);
    if (!outside)
        return true;
    const unsigned at_end = block_lanes_from(above, UINT32_MAX);
    return outside == at_end && !(at_end & (ties | block_lanes_from(r, LESS_THAN_QUARTER)));
}

/* Sums of integers, from a carry-in: q becomes encodings. Returns the carry-out. */
KERNEL_INLINE v32 integer_block(v32 q[BLOCK_VECTORS32], v32 carry) {
    UNROLL
    for (unsigned i = 0; i < BLOCK_VECTORS32; i++)
        q[i] = running_i32(q[i], &carry);
    return carry;
}

/* The same of a block with ties. *addend, in all lanes, becomes what the first tie adds. */
KERNEL_INLINE v32 integer_block_with_ties(kernel_kind kind, v32 q[BLOCK_VECTORS32],
                                          const v32 r[BLOCK_VECTORS32], unsigned ties, v32 carry,
                                          v32 *addend) {
    const first_tie tie = resolve_ties(kind, q, r, ties);
    *addend = and32(add_i32(carry, all_lanes_u32(tie.flip)), all_lanes_u32(unit_bits(kind)));
    const v32 next = integer_block(q, carry);
    add_to_lanes(q, tie.from, *addend);
    return add_i32(next, *addend);
}

/* The elements of a block in units of u: q replaces them. Returns the ties. */
KERNEL_INLINE unsigned split_block(kernel_kind kind, const binade *b, v32 v[BLOCK_VECTORS32],
                                   v32 r[BLOCK_VECTORS32]) {
    v32 magnitude[BLOCK_VECTORS32];
    UNROLL
    for (unsigned i = 0; i < BLOCK_VECTORS32; i++) {
        const v32 scaled = mul_f32(v[i], b->scale);
        r[i] = fraction_f32(scaled);
        v[i] = nearest_units(kind, scaled, r[i]);
        magnitude[i] = abs_f32(r[i]);
    }
    return block_lanes_from(magnitude, HALF_U);
}

/* Scans a block into encodings of sums: the elements become the outputs. Returns whether they are
 * right; if not, the block has to be added up another way. */
KERNEL_INLINE bool scan_binade_block(kernel_kind kind, const binade *b, v32 v[BLOCK_VECTORS32],
                                     v32 *carry) {
    v32 r[BLOCK_VECTORS32], next, addend;
    const unsigned ties = split_block(kind, b, v, r);
    if (!ties)
        next = integer_block(v, *carry);
    else if (RESOLVES_TIES)
        next = integer_block_with_ties(kind, v, r, ties, *carry, &addend);
    else
        return false;
    if (!stays_in_binade(b, v, r, ties))
        return false;
    *carry = next;
    return true;
}

/* Whole blocks from position k on, as long as they stay in the binade. Returns the position behind
 * them. */
KERNEL_INLINE uint64_t scan_binade_blocks(kernel_kind kind, const binade *b, const line32 line,
                                          uint64_t k, v32 *accumulator) {
    v32 carry = *accumulator, previous = carry;
    for (; line.length - k >= LINE_BLOCK; k += LINE_BLOCK) {
        v32 v[BLOCK_VECTORS32];
        load_line_block32(kind, line, k, LINE_BLOCK, v);
        if (!scan_binade_block(kind, b, v, &carry))
            break;
        UNROLL
        for (unsigned i = 0; i < BLOCK_VECTORS32; i++) {
            const v32 sums = v[i];
            v[i] = line.exclusive ? shift_in32(sums, previous) : sums;
            previous = sums;
        }
        store_line_block32(kind, line, k, LINE_BLOCK, v);
    }
    *accumulator = carry;
    return k;
}

/* Sums of FLOAT16 in binary32 meet a tie in so many blocks that scans in binades pay only with
 * RESOLVES_TIES. */
KERNEL_INLINE bool scans_binades(kernel_kind kind) {
    if (is_half(kind) && kind != KIND_F16_NARROW)
        return SCANS_BINADES && RESOLVES_TIES;
    return SCANS_BINADES;
}

/* The same in the binade of the accumulator, if it has one that can be scanned. Plain lines have a
 * loop without tests. */
KERNEL_INLINE uint64_t scan_in_binade(kernel_kind kind, const line32 line, uint64_t k,
                                      float *accumulator) {
    binade b;
    v32 carry = all_lanes_f32(*accumulator);
    if (!scans_binades(kind) || !enter_binade(kind, float_bits(*accumulator), &b))
        return k;
    if (is_plain32(kind, line))
        k = scan_binade_blocks(kind, &b, plain_line32(line), k, &carry);
    else
        k = scan_binade_blocks(kind, &b, line, k, &carry);
    *accumulator = first_lane(carry);
    return k;
}

#endif
