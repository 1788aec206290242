/* SPDX-License-Identifier: MIT */
/*
 * A contiguous line by itself, lanes being elements: Sklansky's network within blocks of 16
 * elements, a carry over the blocks of a tile of 1024, and the prefix of the tiles before. That is
 * the blocked order of docs/numerics.md, addition for addition. Where additions are exact, as those
 * of integers always are, it gives the bits of every order.
 *
 * The network: J. Sklansky, Conditional-sum addition logic, IRE Transactions on Electronic
 * Computers EC-9 (1960). It takes log2(16) = 4 stages, the fewest there are, of 8 additions each.
 *
 * Parameter: WIDTH (kernel_macros.h). lane_kernels.h includes this file.
 */
#include "elements.h"
#include "panel_walk.h"

#ifndef WIDTH
#error "line_scan.inl.h: define WIDTH"
#endif

#define BLOCK_VECTORS (LINE_BLOCK / LANES)

/* A contiguous line or a piece of one. Positions count in the order of the scan. */
typedef struct LINE {
    const unsigned char *in; /* the lowest element */
    unsigned char *out;
    uint64_t length;
    bool reversed;
    bool exclusive;
    bool stream;
} LINE;

/* What moves from block to block. All lanes of `tiles` and `blocks` are equal. */
typedef struct LINE_CARRY {
    VECTOR tiles;    /* C[t]: the prefix of the tiles before */
    VECTOR blocks;   /* c[b]: the sum of the blocks before in this tile */
    VECTOR previous; /* the last outputs of an inclusive scan, which an exclusive one repeats */
} LINE_CARRY;

/* Bytes from the line's lowest element to the lowest of the `count` elements that the scan visits
 * from position k on. */
KERNEL_INLINE size_t FN(piece_offset)(kernel_kind kind, const LINE line, uint64_t k,
                                      unsigned count) {
    return (size_t)(line.reversed ? line.length - k - count : k) * kind_size(kind);
}

/* The last block of a line, if it is not whole, in the order of the scan. The elements that it
 * lacks are +0, as the blocked order has it. */
static inline void FN(load_last_block)(kernel_kind kind, const LINE line, uint64_t k,
                                       unsigned count, VECTOR v[BLOCK_VECTORS]) {
    const size_t size = kind_size(kind);
    unsigned char packed[LINE_BLOCK * 8] = {0};
    for (unsigned i = 0; i < count; i++)
        memcpy(packed + i * size, line.in + FN(piece_offset)(kind, line, k + i, 1), size);
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++)
        v[r] = FN(load_elements)(kind, packed + r * LANES * size);
}

static inline void FN(store_last_block)(kernel_kind kind, const LINE line, uint64_t k,
                                        unsigned count, const VECTOR v[BLOCK_VECTORS]) {
    const size_t size = kind_size(kind);
    unsigned char packed[LINE_BLOCK * 8];
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++)
        FN(store_elements)(kind, packed + r * LANES * size, v[r]);
    for (unsigned i = 0; i < count; i++)
        memcpy(line.out + FN(piece_offset)(kind, line, k + i, 1), packed + i * size, size);
}

/* The block at position k, `count` elements of it, in the order of the scan. */
KERNEL_INLINE void FN(load_line_block)(kernel_kind kind, const LINE line, uint64_t k,
                                       unsigned count, VECTOR v[BLOCK_VECTORS]) {
    if (count < LINE_BLOCK) {
        FN(load_last_block)(kind, line, k, count, v);
        return;
    }
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        const size_t offset = FN(piece_offset)(kind, line, k + r * LANES, LANES);
        v[r] = FN(load_elements)(kind, line.in + offset);
        if (line.reversed)
            v[r] = FN(reverse)(v[r]);
    }
}

KERNEL_INLINE void FN(store_line_block)(kernel_kind kind, const LINE line, uint64_t k,
                                        unsigned count, const VECTOR v[BLOCK_VECTORS]) {
    VECTOR t[BLOCK_VECTORS];
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++)
        t[r] = v[r];
    FN(overflow_accumulators)(kind, t, BLOCK_VECTORS);
    if (count < LINE_BLOCK) {
        FN(store_last_block)(kind, line, k, count, t);
        return;
    }
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        const size_t offset = FN(piece_offset)(kind, line, k + r * LANES, LANES);
        const VECTOR out = line.reversed ? FN(reverse)(t[r]) : t[r];
        if (line.stream)
            FN(stream_elements)(kind, line.out + offset, out);
        else
            FN(store_elements)(kind, line.out + offset, out);
    }
}

/* The identity of addition: of floats it is -0, because x + -0 is x for every x, while -0 + +0 is
 * +0. */
KERNEL_INLINE VECTOR FN(identity)(kernel_kind kind) {
    return is_integer(kind) ? FN(zero)() : FN(minus_zero)();
}

/*
 * Stages s = 1, 2, 4, 8 of the network, in place: v[i] += v[(i | (s - 1)) ^ s] for each element i
 * with (i & s). Lanes without the bit add the identity. Stages within a vector spread a lane over
 * others; stages between vectors spread the last lane of one over another. Stages from s = `end` on
 * are left out, which makes the block several lines of `end` elements.
 */
KERNEL_INLINE void FN(network_stages)(kernel_kind kind, unsigned end, VECTOR v[BLOCK_VECTORS]) {
    const VECTOR identity = FN(identity)(kind);
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        v[r] = FN(add_elements)(kind, v[r], FN(spread_1_)(v[r], identity));
        if (LANES > 2 && end > 2)
            v[r] = FN(add_elements)(kind, v[r], FN(spread_2_)(v[r], identity));
        if (LANES > 4 && end > 4)
            v[r] = FN(add_elements)(kind, v[r], FN(spread_4_)(v[r], identity));
        if (LANES > 8 && end > 8)
            v[r] = FN(add_elements)(kind, v[r], FN(spread_8_)(v[r], identity));
    }
    for (unsigned s = 1; s < BLOCK_VECTORS && s * LANES < end; s *= 2)
        for (size_t r = 0; r < BLOCK_VECTORS; r++)
            if (r & s)
                v[r] = FN(add_elements)(kind, v[r], FN(last)(v[(r | (s - 1)) ^ s]));
}

KERNEL_INLINE void FN(network)(kernel_kind kind, VECTOR v[BLOCK_VECTORS]) {
    FN(network_stages)(kind, LINE_BLOCK, v);
}

/* From the network of a block to its outputs: S(k+1) = fl(fl(C[t] + c[b]) + v_b[i]). */
KERNEL_INLINE void FN(finish_line_block)(kernel_kind kind, const LINE line, uint64_t k,
                                         unsigned count, VECTOR v[BLOCK_VECTORS], LINE_CARRY *c) {
    const VECTOR base = FN(add_elements)(kind, c->tiles, c->blocks);
    c->blocks = FN(add_elements)(kind, c->blocks, FN(last)(v[BLOCK_VECTORS - 1]));
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        const VECTOR sums = FN(add_elements)(kind, base, v[r]);
        v[r] = line.exclusive ? FN(shift_in)(sums, c->previous) : sums;
        c->previous = sums;
    }
    FN(store_line_block)(kind, line, k, count, v);
}

/* A block from memory to memory. It is read before it is written, so it may be in place. */
KERNEL_INLINE void FN(scan_line_block)(kernel_kind kind, const LINE line, uint64_t k,
                                       unsigned count, LINE_CARRY *c) {
    VECTOR v[BLOCK_VECTORS];
    FN(load_line_block)(kind, line, k, count, v);
    FN(network)(kind, v);
    FN(finish_line_block)(kind, line, k, count, v, c);
}

/* Prefetches ahead of the block at position k: hardware alone is late if stores bypass the caches.
 */
KERNEL_INLINE void FN(prefetch_block)(kernel_kind kind, const LINE line, uint64_t k) {
    const unsigned char *block = line.in + FN(piece_offset)(kind, line, k, LINE_BLOCK);
    for (unsigned i = 0; line.stream && i < LINE_BLOCK * kind_size(kind); i += 64)
        prefetch_ahead(block + i, line.reversed);
}

/* `elements` from position k on, whole blocks. */
KERNEL_INLINE void FN(scan_whole_blocks)(kernel_kind kind, const LINE line, uint64_t k,
                                         uint64_t elements, LINE_CARRY *c) {
    for (uint64_t i = 0; i < elements; i += LINE_BLOCK) {
        FN(prefetch_block)(kind, line, k + i);
        FN(scan_line_block)(kind, line, k + i, LINE_BLOCK, c);
    }
}

/* The same for inclusive scans of increasing direction, the usual ones: a loop without a test. */
KERNEL_INLINE void FN(scan_plain_blocks)(kernel_kind kind, const LINE line, uint64_t k,
                                         uint64_t elements, LINE_CARRY *c) {
    LINE plain = line;
    plain.reversed = plain.exclusive = plain.stream = false;
    LINE streamed = plain;
    streamed.stream = true;
    if (line.stream)
        FN(scan_whole_blocks)(kind, streamed, k, elements, c);
    else
        FN(scan_whole_blocks)(kind, plain, k, elements, c);
}

/* `elements` from position k on. Only the end of the line may be no whole block. */
KERNEL_INLINE void FN(scan_line)(kernel_kind kind, const LINE line, uint64_t k, uint64_t elements,
                                 LINE_CARRY *c) {
    const unsigned tail = elements % LINE_BLOCK;
    const uint64_t whole = elements - tail;
    if (line.reversed || line.exclusive)
        FN(scan_whole_blocks)(kind, line, k, whole, c);
    else
        FN(scan_plain_blocks)(kind, line, k, whole, c);
    if (tail)
        FN(scan_line_block)(kind, line, k + whole, tail, c);
}

/* Line number `number` of the first group of a walk whose operands are contiguous. */
KERNEL_INLINE LINE FN(line_of)(const panel_walk w, uint64_t number) {
    const LINE line = {.in = w.input + (int64_t)number * w.in.line_step,
                       .out = w.output + (int64_t)number * w.out.line_step,
                       .length = w.length,
                       .reversed = w.reversed,
                       .exclusive = w.exclusive,
                       .stream = w.stream};
    return line;
}

#undef BLOCK_VECTORS
