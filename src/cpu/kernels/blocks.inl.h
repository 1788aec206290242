/* SPDX-License-Identifier: MIT */
/*
 * Blocks of LANES lines by LANES elements between memory and registers. In registers a vector holds
 * one element of each line: lane l of v[j] is element j of line l, elements in ascending order of
 * their addresses. An interleaved operand lies in memory like that. A contiguous one has a line's
 * elements as neighbours, and is transposed on the way. Strided operands do not come here.
 *
 * A unit is the blocks whose elements fill LANES vectors in memory. Accumulators of FLOAT16 are
 * binary32, so a vector of memory has room for twice as many: a unit is a pair of blocks, which is
 * loaded, transposed and stored as whole vectors of binary16, and is widened only for the
 * additions. That halves the number of shuffles. The blocks of a pair are neighbours along the
 * lines (`along`), or of neighbouring lines. Of other kinds a unit is one block.
 *
 * Parameter: WIDTH (kernel_macros.h). block_scans.inl.h includes this file.
 */
#ifndef WIDTH
#error "blocks.inl.h: define WIDTH"
#endif

KERNEL_INLINE unsigned FN(unit_blocks)(kernel_kind kind) {
    return uses_half_pairs(kind) ? 2 : 1;
}

/* Units that are written together, a cache line of each line or row if the vector operations say so
 * (CHUNK_BYTES), so that no cache line is written in pieces. They have no more lines than lanes
 * unless the output is interleaved, because the cache lines of more would evict each other from one
 * set of the first-level cache when lines are a power of two apart. */
KERNEL_INLINE unsigned FN(chunk_units)(kernel_kind kind) {
    return FN(chunk_bytes)(kind) / (LANES * (unsigned)kind_size(kind) * FN(unit_blocks)(kind));
}

KERNEL_INLINE unsigned FN(chunk_blocks)(kernel_kind kind) {
    return FN(chunk_units)(kind) * FN(unit_blocks)(kind);
}

/* Bytes from a vector of a block in memory to the next. */
KERNEL_INLINE int64_t FN(vector_step)(const operand of) {
    return of.pattern == ACCESS_CONTIGUOUS ? of.line_step : of.element_step;
}

KERNEL_INLINE void FN(load_block)(kernel_kind kind, const operand of, const unsigned char *from,
                                  VECTOR v[LANES]) {
    if (of.pattern == ACCESS_CONTIGUOUS) {
        FN(load_lines)(kind, from, of.line_step, v);
        return;
    }
    UNROLL
    for (int i = 0; i < LANES; i++)
        v[i] = FN(load_elements)(kind, from + i * of.element_step);
}

/* Brings a block into the order of memory. */
KERNEL_INLINE void FN(arrange_block)(kernel_kind kind, cumsum_half_store store, const operand of,
                                     VECTOR v[LANES]) {
    FN(finish_accumulators)(kind, store, v, LANES);
    if (of.pattern == ACCESS_CONTIGUOUS)
        FN(transpose)(v);
}

/* For partial blocks, which are too rare to have the shuffles repeated at each use. */
KERNEL_OUTLINE void FN(transpose_outlined)(VECTOR v[LANES]) {
    FN(transpose)(v);
}

/* A block with fewer lines or elements. Touches nothing beyond them; the other lanes are 0. */
KERNEL_INLINE void FN(load_partial_block)(kernel_kind kind, const operand of,
                                          const unsigned char *from, unsigned lines,
                                          unsigned elements, VECTOR v[LANES]) {
    const partial_block block = partial_block_of(of, lines, elements);
    for (unsigned i = 0; i < LANES; i++)
        v[i] = FN(zero)();
    for (unsigned i = 0; i < block.vectors; i++)
        v[i] = FN(load_tail)(kind, from + (int64_t)i * block.step, block.count);
    if (of.pattern == ACCESS_CONTIGUOUS)
        FN(transpose_outlined)(v);
}

KERNEL_INLINE void FN(store_partial_block)(kernel_kind kind, cumsum_half_store store,
                                           const operand of, unsigned char *to, unsigned lines,
                                           unsigned elements, VECTOR v[LANES]) {
    const partial_block block = partial_block_of(of, lines, elements);
    FN(finish_accumulators)(kind, store, v, LANES);
    if (of.pattern == ACCESS_CONTIGUOUS)
        FN(transpose_outlined)(v);
    for (unsigned i = 0; i < block.vectors; i++)
        FN(store_tail)(kind, to + (int64_t)i * block.step, v[i], block.count);
}

#if WIDTH == 32
/* A pair of blocks of FLOAT16 from `from`, the lower end of both. */
KERNEL_INLINE void load_pair(const operand of, bool along, const unsigned char *from,
                             v32 v[2][LANES32]) {
    if (of.pattern == ACCESS_INTERLEAVED) {
        load_block32(KIND_F16, of, from, v[0]);
        load_block32(KIND_F16, of, from + LANES32 * (along ? of.element_step : of.line_step), v[1]);
        return;
    }
    v32 h[LANES32]; /* h[l] holds elements of line l in both halves, or of lines l and LANES32 + l
                     */
    UNROLL
    for (int i = 0; i < LANES32; i++) {
        const unsigned char *line = from + i * of.line_step;
        h[i] = along ? load32(line) : load_two_f16(line, line + LANES32 * of.line_step);
    }
    transpose_f16(h);
    UNROLL
    for (int i = 0; i < LANES32; i++) {
        v[0][i] = low_f16(h[i]);
        v[1][i] = high_f16(h[i]);
    }
}

/* Pairs of vectors that are asked at once whether they overflow: at most 8, which is half of the
 * most registers. */
#define PACKED_TOGETHER (LANES32 / (LANES32 > 8 ? 2 : 1))

/* A pair in the order of memory, packed to whole vectors. */
KERNEL_INLINE void pack_pair(cumsum_half_store store, const operand of, v32 v[2][LANES32],
                             v32 h[LANES32]) {
    UNROLL
    for (unsigned i = 0; i < LANES32; i += PACKED_TOGETHER) {
        v32 t[2 * PACKED_TOGETHER];
        UNROLL
        for (size_t j = 0; j < (size_t)2 * PACKED_TOGETHER; j++)
            t[j] = v[j % 2][i + j / 2];
        finish_accumulators32(KIND_F16, store, t, 2 * PACKED_TOGETHER);
        UNROLL
        for (size_t j = 0; j < PACKED_TOGETHER; j++)
            h[i + j] = pack_f16(t[2 * j], t[2 * j + 1]);
    }
    if (of.pattern == ACCESS_CONTIGUOUS)
        transpose_f16(h);
}
#undef PACKED_TOGETHER
#endif

KERNEL_INLINE void FN(load_unit)(kernel_kind kind, const operand of, bool along,
                                 const unsigned char *from, VECTOR v[2][LANES]) {
#if WIDTH == 32
    if (uses_half_pairs(kind)) {
        load_pair(of, along, from, v);
        return;
    }
#endif
    (void)along;
    FN(load_block)(kind, of, from, v[0]);
}

/* A unit in the order of memory: as `packed`, which FN(store_vector) stores. */
KERNEL_INLINE void FN(arrange_unit)(kernel_kind kind, cumsum_half_store store, const operand of,
                                    VECTOR v[2][LANES], VECTOR packed[LANES]) {
#if WIDTH == 32
    if (uses_half_pairs(kind)) {
        pack_pair(store, of, v, packed);
        return;
    }
#endif
    FN(arrange_block)(kind, store, of, v[0]);
    UNROLL
    for (unsigned i = 0; i < LANES; i++)
        packed[i] = v[0][i];
}

/* Vector number i of an arranged unit at `to`. Packed binary16 is stored as what it is by then:
 * bits, like 32-bit integers. */
KERNEL_INLINE void FN(store_vector)(kernel_kind kind, const operand of, bool stream,
                                    unsigned char *to, unsigned i, VECTOR v) {
    const kernel_kind stored = uses_half_pairs(kind) ? KIND_I32 : kind;
    if (stream)
        FN(stream_elements)(stored, to + (int64_t)i * FN(vector_step)(of), v);
    else
        FN(store_elements)(stored, to + (int64_t)i * FN(vector_step)(of), v);
}
