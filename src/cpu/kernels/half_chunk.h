/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_HALF_CHUNK_H
#define CUMSUM_CPU_HALF_CHUNK_H

/* A chunk of FLOAT16: two blocks at a time, so that what is transposed and what is stored are whole
 * vectors of halves, half as many as the lanes they are added up in. */

#define HALF_PAIRS ((CHUNK_BYTES_F16 / (LANES32 * 2) + 1) / 2)

/* Two blocks, in the order in which they are added up. */
typedef struct half_pair {
    v32 v[2][LANES32];
} half_pair;

KERNEL_INLINE void load_half_sides(const panel_side side, const unsigned char *address,
                                   v32 v[LANES32]) {
    UNROLL
    for (unsigned i = 0; i < LANES32; i++)
        v[i] = load_f16(address + (int64_t)i * side.element);
}

/* The halves of each line, h[l], become two blocks. */
KERNEL_INLINE void widen_pair(v32 h[LANES32], v32 low[LANES32], v32 high[LANES32]) {
    transpose_f16(h);
    UNROLL
    for (unsigned i = 0; i < LANES32; i++) {
        low[i] = low_f16(h[i]);
        high[i] = high_f16(h[i]);
    }
}

/* LANES32 lines with 2 x LANES32 elements from address on; `back`: those with the higher indices
 * are the first block. */
KERNEL_INLINE void load_half_lines(const panel_side side, const unsigned char *address, bool back,
                                   half_pair *pair) {
    v32 h[LANES32];
    UNROLL
    for (unsigned i = 0; i < LANES32; i++)
        h[i] = load32(address + (int64_t)i * side.line);
    if (back)
        widen_pair(h, pair->v[1], pair->v[0]);
    else
        widen_pair(h, pair->v[0], pair->v[1]);
}

/* 2 x LANES32 lines with LANES32 elements, from address on. */
KERNEL_INLINE void load_half_groups(const panel_side side, const unsigned char *address,
                                    half_pair *pair) {
    v32 h[LANES32];
    UNROLL
    for (unsigned i = 0; i < LANES32; i++) {
        const unsigned char *line = address + (int64_t)i * side.line;
        h[i] = load_two_f16(line, line + LANES32 * side.line);
    }
    widen_pair(h, pair->v[0], pair->v[1]);
}

KERNEL_INLINE void load_pair(const panel_side side, panel_way in, bool along, bool back,
                             const unsigned char *address, half_pair *pair) {
    const int64_t next = LANES32 * (along ? side.element : side.line);
    if (in == WAY_SIDE) {
        load_half_sides(side, address + (back ? next : 0), pair->v[0]);
        load_half_sides(side, address + (back ? 0 : next), pair->v[1]);
    } else if (along) {
        load_half_lines(side, address, back, pair);
    } else {
        load_half_groups(side, address, pair);
    }
}

/* As it is stored. */
KERNEL_INLINE void narrow_pair(element_kind kind, panel_way out, const v32 low[LANES32],
                               const v32 high[LANES32], v32 h[LANES32]) {
    UNROLL
    for (unsigned i = 0; i < LANES32; i++)
        h[i] = pack_halves(kind, low[i], high[i]);
    if (out == WAY_LINE)
        transpose_f16(h);
}

/* Pair number p, in the output as it lies. */
typedef struct half_pairs {
    v32 h[HALF_PAIRS][LANES32];
} half_pairs;

KERNEL_INLINE void narrow_either(element_kind kind, panel_way out, bool back, half_pair *pair,
                                 v32 h[LANES32]) {
    if (back)
        narrow_pair(kind, out, pair->v[1], pair->v[0], h);
    else
        narrow_pair(kind, out, pair->v[0], pair->v[1], h);
}

/* Bytes to pair number p. */
KERNEL_INLINE int64_t pair_offset(element_kind kind, const panel_side side, bool along, bool back,
                                  unsigned p) {
    return part_offset32(side, along, back, chunk_parts32(kind), back ? 2 * p + 1 : 2 * p);
}

KERNEL_INLINE void store_pairs(element_kind kind, const panel_walk w, panel_way out, bool back,
                               unsigned char *to, const half_pairs *pairs) {
    UNROLL
    for (unsigned i = 0; i < LANES32; i++)
        UNROLL
    for (unsigned p = 0; p < HALF_PAIRS; p++)
        store_vector32(KIND_I32, w.out, out,
                       to + pair_offset(kind, w.out, out != WAY_SIDE, back, p), w.stream, i,
                       pairs->h[p][i]);
}

/* A whole chunk, as chunk32 does it. */
KERNEL_INLINE void half_chunk(element_kind kind, const panel_walk w, panel_way in, panel_way out,
                              bool is_short, uint64_t line, uint64_t k, v32 *tally) {
    const bool along = out != WAY_SIDE, back = along && w.reverse;
    const uint64_t index = lowest32(w, k, along ? chunk_length32(kind) : LANES32);
    const unsigned char *from = w.input + offset32(w.in, line, index);
    half_pairs pairs;
    UNROLL
    for (unsigned p = 0; p < HALF_PAIRS; p++) {
        half_pair pair;
        load_pair(w.in, in, along, back, from + pair_offset(kind, w.in, along, back, p), &pair);
        UNROLL
        for (unsigned b = 0; b < 2; b++) {
            const unsigned part = 2 * p + b;
            v32 *t = along ? tally : &tally[part];
            *t = is_short ? scan_short32(kind, w, part * LANES32, pair.v[b], *t)
                          : scan32(kind, w, pair.v[b], *t);
        }
        narrow_either(kind, out, back, &pair, pairs.h[p]);
    }
    store_pairs(kind, w, out, back, w.output + offset32(w.out, line, index), &pairs);
}

#undef HALF_PAIRS

#endif
