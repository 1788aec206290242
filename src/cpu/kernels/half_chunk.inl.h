/* SPDX-License-Identifier: MIT */
/*
 * A chunk of FLOAT16 (block_scan.inl.h), two blocks at a time. Accumulators are binary32, so a
 * vector holds half as many elements as it would have room for in binary16. A pair of blocks is
 * loaded, transposed and stored as whole vectors of binary16, which halves the number of shuffles,
 * and is widened only for the additions.
 *
 * The two blocks of a pair are neighbours along the lines if the output is contiguous (`along`);
 * otherwise they are of neighbouring lines.
 *
 * Parameter: WIDTH, which must be 32. lane_blocks.h includes this file.
 */
#include "elements.h"
#include "panel_walk.h"

#if !defined(WIDTH) || WIDTH != 32
#error "half_chunk.inl.h: define WIDTH as 32"
#endif

/* Pairs of vectors that are asked at once whether they overflow: at most 8, which is half of the
 * most registers. */
#define PACKED_TOGETHER (LANES32 / (LANES32 > 8 ? 2 : 1))

#define HALF_PAIRS ((CHUNK_BYTES_F16 / (LANES32 * 2) + 1) / 2)

/* Two blocks, in the order of the scan. */
typedef struct half_pair {
    v32 v[2][LANES32];
} half_pair;

/* A block of an interleaved operand, which needs no transposition: it is widened by the loads. */
KERNEL_INLINE void load_half_block(const operand of, const unsigned char *address, v32 v[LANES32]) {
    UNROLL
    for (unsigned i = 0; i < LANES32; i++)
        v[i] = load_f16(address + (int64_t)i * of.element_step);
}

/* h[l] holds elements of line l in both halves; each half becomes a block. */
KERNEL_INLINE void widen_pair(v32 h[LANES32], v32 low[LANES32], v32 high[LANES32]) {
    transpose_f16(h);
    UNROLL
    for (unsigned i = 0; i < LANES32; i++) {
        low[i] = low_f16(h[i]);
        high[i] = high_f16(h[i]);
    }
}

/* LANES32 contiguous lines of 2 * LANES32 elements. A scan that is reversed takes the block with
 * the higher indices first. */
KERNEL_INLINE void load_pair_along(const operand of, const unsigned char *address, bool reversed,
                                   half_pair *pair) {
    v32 h[LANES32];
    UNROLL
    for (unsigned i = 0; i < LANES32; i++)
        h[i] = load32(address + (int64_t)i * of.line_step);
    if (reversed)
        widen_pair(h, pair->v[1], pair->v[0]);
    else
        widen_pair(h, pair->v[0], pair->v[1]);
}

/* 2 * LANES32 contiguous lines of LANES32 elements. */
KERNEL_INLINE void load_pair_across(const operand of, const unsigned char *address,
                                    half_pair *pair) {
    v32 h[LANES32];
    UNROLL
    for (unsigned i = 0; i < LANES32; i++) {
        const unsigned char *line = address + (int64_t)i * of.line_step;
        h[i] = load_two_f16(line, line + LANES32 * of.line_step);
    }
    widen_pair(h, pair->v[0], pair->v[1]);
}

/* A pair of blocks from `address`, the lower end of both. */
KERNEL_INLINE void load_pair(const operand of, access_pattern pattern, bool along, bool reversed,
                             const unsigned char *address, half_pair *pair) {
    const int64_t next = LANES32 * (along ? of.element_step : of.line_step);
    if (pattern == ACCESS_INTERLEAVED) {
        load_half_block(of, address + (reversed ? next : 0), pair->v[0]);
        load_half_block(of, address + (reversed ? 0 : next), pair->v[1]);
    } else if (along) {
        load_pair_along(of, address, reversed, pair);
    } else {
        load_pair_across(of, address, pair);
    }
}

/* Two blocks as they are stored: `low` is the one with the lower addresses. */
KERNEL_INLINE void narrow_blocks(kernel_kind kind, cumsum_half_store store, access_pattern pattern,
                                 const v32 low[LANES32], const v32 high[LANES32], v32 h[LANES32]) {
    UNROLL
    for (unsigned i = 0; i < LANES32; i += PACKED_TOGETHER) {
        v32 t[2 * PACKED_TOGETHER];
        UNROLL
        for (size_t j = 0; j < PACKED_TOGETHER; j++) {
            t[2 * j] = low[i + j];
            t[2 * j + 1] = high[i + j];
        }
        finish_accumulators32(kind, store, t, 2 * PACKED_TOGETHER);
        UNROLL
        for (size_t j = 0; j < PACKED_TOGETHER; j++)
            h[i + j] = pack_f16(t[2 * j], t[2 * j + 1]);
    }
    if (pattern == ACCESS_CONTIGUOUS)
        transpose_f16(h);
}

/* The same of a pair. Its blocks are in the order of the scan, which may be descending. */
KERNEL_INLINE void narrow_pair(kernel_kind kind, cumsum_half_store store, access_pattern pattern,
                               bool reversed, const half_pair *pair, v32 h[LANES32]) {
    if (reversed)
        narrow_blocks(kind, store, pattern, pair->v[1], pair->v[0], h);
    else
        narrow_blocks(kind, store, pattern, pair->v[0], pair->v[1], h);
}

/* Bytes from the start of a chunk to its pair number p. The pair begins with the block that is
 * lower in memory, which a reversed scan takes second. */
KERNEL_INLINE int64_t pair_offset(kernel_kind kind, const operand of, bool along, bool reversed,
                                  unsigned p) {
    const unsigned lower = reversed ? 2 * p + 1 : 2 * p;
    return block_offset32(of, along, reversed, chunk_blocks32(kind), lower);
}

/* A whole chunk: what FN(scan_chunk) in panel_scan.inl.h does for the other kinds. One pair after
 * the other: the code of several is long, and takes no less time. Outputs that bypass the caches
 * are held until their cache lines are whole. Vectors of binary16 are stored as what they are by
 * then: bits, like 32-bit integers. */
KERNEL_INLINE void scan_half_chunk(kernel_kind kind, const panel_walk w, access_pattern in,
                                   access_pattern out, bool joined, uint64_t line, uint64_t k,
                                   v32 *accumulator) {
    const bool along = out != ACCESS_INTERLEAVED, reversed = along && w.reversed;
    const uint64_t index = lowest32(w, k, along ? chunk_length32(kind) : LANES32);
    const unsigned char *from = w.input + offset32(w.in, line, index);
    unsigned char *to = w.output + offset32(w.out, line, index);
    v32 held[HALF_PAIRS][LANES32];
    for (unsigned p = 0; p < HALF_PAIRS; p++) {
        unsigned char *pair_to = to + pair_offset(kind, w.out, along, reversed, p);
        half_pair pair;
        v32 h[LANES32];
        load_pair(w.in, in, along, reversed, from + pair_offset(kind, w.in, along, reversed, p),
                  &pair);
        UNROLL
        for (unsigned b = 0; b < 2; b++) {
            const unsigned block = 2 * p + b;
            v32 *t = along ? accumulator : &accumulator[block];
            *t = joined ? scan_joined_block32(kind, w, block * LANES32, pair.v[b], *t)
                        : scan_block32(kind, w, pair.v[b], *t);
        }
        narrow_pair(kind, w.store, out, reversed, &pair, h);
        UNROLL
        for (unsigned i = 0; i < LANES32; i++)
            if (w.stream)
                held[p][i] = h[i];
            else
                store_vector32(KIND_I32, w.out, out, pair_to, false, i, h[i]);
    }
    UNROLL
    for (unsigned i = 0; i < LANES32; i++) {
        for (unsigned p = 0; w.stream && p < HALF_PAIRS; p++) {
            unsigned char *pair_to = to + pair_offset(kind, w.out, along, reversed, p);
            store_vector32(KIND_I32, w.out, out, pair_to, true, i, held[p][i]);
        }
    }
}

#undef HALF_PAIRS
#undef PACKED_TOGETHER
