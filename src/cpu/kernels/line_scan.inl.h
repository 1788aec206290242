/* SPDX-License-Identifier: MIT */
/*
 * A contiguous line by itself, lanes being elements. Floats are added up by Sklansky's network
 * within blocks of 16 elements, a carry over the blocks of a tile of 1024, and the prefix of the
 * tiles before. That is the blocked order of docs/numerics.md, addition for addition. Where
 * additions are exact, it gives the bits of every order. Additions of integers always are, so they
 * are in whatever order is fast: running_i32 and running_i64 of vector_ops_common.h.
 *
 * The network: J. Sklansky, Conditional-sum addition logic, IRE Transactions on Electronic
 * Computers EC-9 (1960). It takes log2(16) = 4 stages, the fewest there are, of 8 additions each.
 *
 * Parameter: WIDTH (kernel_macros.h). lane_kernels.h includes this file.
 */
#include "elements.h"
#include "moves.h"
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
    cumsum_half_store store;
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
    FN(finish_accumulators)(kind, line.store, t, BLOCK_VECTORS);
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

#if WIDTH == 32
/*
 * Stages s = 1, 2, 4, 8 of the network, in place: v[i] += v[(i | (s - 1)) ^ s] for each element i
 * with (i & s). Lanes without the bit add -0, because x + -0 is x for every x, while -0 + +0 is +0.
 * Stages within a vector spread a lane over others; stages between vectors spread the last lane of
 * one over another. Stages from s = `end` on are left out, which makes the block several lines of
 * `end` elements.
 */
KERNEL_INLINE void network_stages(kernel_kind kind, unsigned end, v32 v[BLOCK_VECTORS]) {
    const v32 nothing = minus_zero32();
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        v[r] = add_elements32(kind, v[r], spread_1_32(v[r], nothing));
        if (end > 2)
            v[r] = add_elements32(kind, v[r], spread_2_32(v[r], nothing));
        if (LANES32 > 4 && end > 4)
            v[r] = add_elements32(kind, v[r], spread_4_32(v[r], nothing));
        if (LANES32 > 8 && end > 8)
            v[r] = add_elements32(kind, v[r], spread_8_32(v[r], nothing));
    }
    UNROLL
    for (unsigned s = 1; s < BLOCK_VECTORS; s *= 2) {
        UNROLL
        for (size_t r = 0; r < BLOCK_VECTORS; r++)
            if ((r & s) && s * LANES32 < end)
                v[r] = add_elements32(kind, v[r], last32(v[(r | (s - 1)) ^ s]));
    }
}

/* A block of floats to its outputs: S(k+1) = fl(fl(C[t] + c[b]) + v_b[i]). */
KERNEL_INLINE void add_up_block(kernel_kind kind, bool exclusive, v32 v[BLOCK_VECTORS],
                                LINE_CARRY *c) {
    network_stages(kind, LINE_BLOCK, v);
    const v32 base = add_elements32(kind, c->tiles, c->blocks);
    c->blocks = add_elements32(kind, c->blocks, last32(v[BLOCK_VECTORS - 1]));
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        const v32 sums = add_elements32(kind, base, v[r]);
        v[r] = exclusive ? shift_in32(sums, c->previous) : sums;
        c->previous = sums;
    }
}
#endif

/* A block of integers to its outputs. c->tiles is 0: the accumulator is in c->blocks. */
KERNEL_INLINE void FN(add_up_integers)(bool exclusive, VECTOR v[BLOCK_VECTORS], LINE_CARRY *c) {
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++) {
        const VECTOR sums = FN(running_i)(v[r], &c->blocks);
        v[r] = exclusive ? FN(shift_in)(sums, c->previous) : sums;
        c->previous = sums;
    }
}

/* A block from memory to memory. It is read before it is written, so it may be in place. */
KERNEL_INLINE void FN(scan_line_block)(kernel_kind kind, const LINE line, uint64_t k,
                                       unsigned count, LINE_CARRY *c) {
    VECTOR v[BLOCK_VECTORS];
    FN(load_line_block)(kind, line, k, count, v);
#if WIDTH == 32
    if (!is_integer(kind))
        add_up_block(kind, line.exclusive, v, c);
    else
#endif
        FN(add_up_integers)(line.exclusive, v, c);
    FN(store_line_block)(kind, line, k, count, v);
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

/* The usual scans: inclusive, of increasing direction, with the usual store. */
KERNEL_INLINE bool FN(is_plain)(kernel_kind kind, const LINE line) {
    return !line.reversed && !line.exclusive &&
           (!is_half(kind) || line.store == CUMSUM_HALF_STORE_NEAREST_EVEN);
}

KERNEL_INLINE LINE FN(plain_line)(LINE line) {
    line.reversed = line.exclusive = false;
    line.store = CUMSUM_HALF_STORE_NEAREST_EVEN;
    return line;
}

/* The same for plain lines: a loop without a test, but for the store of rare kinds. */
KERNEL_INLINE void FN(scan_plain_blocks)(kernel_kind kind, const LINE line, uint64_t k,
                                         uint64_t elements, LINE_CARRY *c) {
    LINE plain = FN(plain_line)(line), streamed = plain;
    plain.stream = is_rare(kind) && line.stream;
    streamed.stream = true;
    if (line.stream && !is_rare(kind))
        FN(scan_whole_blocks)(kind, streamed, k, elements, c);
    else
        FN(scan_whole_blocks)(kind, plain, k, elements, c);
}

/* `elements` from position k on. Only the end of the line may be no whole block. */
KERNEL_INLINE void FN(scan_line)(kernel_kind kind, const LINE line, uint64_t k, uint64_t elements,
                                 LINE_CARRY *c) {
    const unsigned tail = elements % LINE_BLOCK;
    const uint64_t whole = elements - tail;
    if (FN(is_plain)(kind, line))
        FN(scan_plain_blocks)(kind, line, k, whole, c);
    else
        FN(scan_whole_blocks)(kind, line, k, whole, c);
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
                       .stream = w.stream,
                       .store = w.store};
    return line;
}

/*
 * A line of any access pattern, tile by tile. A tile of a contiguous operand is scanned where it
 * lies. A strided operand's tile is gathered into a buffer first, or scattered from it afterwards.
 *
 *   for each tile at position k:
 *       LINE line = tile_of(kind, w, k, count, &copy);
 *       scan `line`
 *       tile_done(kind, w, k, count, &copy);
 */

/* A tile's elements as neighbours, in the order of memory. */
typedef struct TILE_COPY {
    unsigned char bytes[LINE_TILE * (WIDTH / 8)];
} TILE_COPY;

/* Elements of the tile at position k. */
static inline unsigned FN(tile_count)(const panel_walk *w, uint64_t k) {
    return (unsigned)cumsum_least(w->length - k, LINE_TILE);
}

/* The tile at position k as a contiguous line that is only read. */
KERNEL_INLINE LINE FN(tile_input)(kernel_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                                  TILE_COPY *copy) {
    LINE line = {.in = w->input + scan_offset(w, w->in, k, count),
                 .length = count,
                 .reversed = w->reversed,
                 .exclusive = w->exclusive,
                 .store = w->store};
    if (w->in.pattern != ACCESS_CONTIGUOUS) {
        gather_elements(kind_size(kind), copy->bytes, line.in,
                        strided_run(w->in.element_step, count));
        line.in = copy->bytes;
    }
    return line;
}

/* The same, to be written too: directly, or in place into the copy. */
KERNEL_INLINE LINE FN(tile_of)(kernel_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                               TILE_COPY *copy) {
    LINE line = FN(tile_input)(kind, w, k, count, copy);
    const bool direct = w->out.pattern == ACCESS_CONTIGUOUS;
    line.out = direct ? w->output + scan_offset(w, w->out, k, count) : copy->bytes;
    line.stream = direct && w->stream;
    return line;
}

/* Scatters the outputs of a tile, unless they were written directly. */
KERNEL_INLINE void FN(tile_done)(kernel_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                                 const TILE_COPY *copy) {
    if (w->out.pattern != ACCESS_CONTIGUOUS)
        scatter_elements(kind_size(kind), w->output + scan_offset(w, w->out, k, count), copy->bytes,
                         strided_run(w->out.element_step, count));
}

/* Scans a tile, whose position in its segment is k, and prefetches the same elements of the next
 * segment on the way. */
KERNEL_INLINE void FN(scan_tile)(kernel_kind kind, const LINE line, const prefetch_range next,
                                 uint64_t k, LINE_CARRY *c) {
    for (unsigned i = 0; i < line.length; i += PREFETCH_ELEMENTS) {
        prefetch_elements(next, k + i, kind_size(kind));
        FN(scan_line)
        (kind, line, i, cumsum_least(line.length - i, PREFETCH_ELEMENTS), c);
    }
}

#undef BLOCK_VECTORS
