/* SPDX-License-Identifier: MIT */
/*
 * The sequential order on a panel, lanes being lines: chunks of blocks (block_scan.inl.h) wherever
 * LANES lines and elements are left, and partial blocks for the tails. Integers come here too where
 * their lines are too short for line_scan.inl.h.
 *
 * Contiguous lines are scanned one vector of them after the other, from end to end. If one operand
 * is interleaved, up to BUNDLES vectors of lines advance together, a chunk at a time: then a row of
 * the interleaved operand is touched in long pieces.
 *
 * Parameter: WIDTH (kernel_macros.h). lane_blocks.h includes this file after blocks.inl.h,
 * block_scan.inl.h and, for WIDTH 32, half_chunk.inl.h.
 */
#include "elements.h"
#include "panel_walk.h"

#ifndef WIDTH
#error "panel_scan.inl.h: define WIDTH"
#endif

/* A bundle is LANES lines, a vector of them. 512 lines of FLOAT32 are 2 KiB of an interleaved row:
 * half a page, so that a page is looked up for many cache lines. Their accumulators stay in the
 * first-level cache. */
#define BUNDLES (512 / LANES)

/* Lines between the ones that are scanned and the ones that are prefetched. Measured: 16 are less
 * time than memory takes. */
#define PREFETCH_LINES 32

/* Bytes of a contiguous line between what is scanned and what is prefetched. */
#define PREFETCH_BYTES 1024

/* Tells compilers that cannot see it that a block is initialized. */
KERNEL_INLINE void FN(clear_block)(VECTOR v[LANES]) {
    UNROLL
    for (unsigned i = 0; i < LANES; i++)
        v[i] = FN(zero)();
}

/* A chunk: `blocks` blocks that are neighbours in the output. If the output is contiguous they
 * follow each other along the lines and share an accumulator; if it is interleaved they are of
 * other lines each, with an accumulator each. `from` and `to` are the lowest addresses. */
typedef struct CHUNK {
    panel_walk w;
    access_pattern in, out;
    const unsigned char *from;
    unsigned char *to;
    unsigned blocks;
    bool along;
} CHUNK;

/* Scans block number b, whose outputs become v, in the order of memory. */
KERNEL_INLINE void FN(scan_chunk_block)(kernel_kind kind, const CHUNK c, bool joined, unsigned b,
                                        VECTOR v[LANES], VECTOR *accumulator) {
    const int64_t offset = FN(block_offset)(c.w.in, c.along, c.w.reversed, c.blocks, b);
    FN(clear_block)(v);
    FN(load_block)(kind, c.w.in, c.in, c.from + offset, v);
    *accumulator = joined ? FN(scan_joined_block)(kind, c.w, b * LANES, v, *accumulator)
                          : FN(scan_block)(kind, c.w, v, *accumulator);
    FN(arrange_block)(kind, c.w.store, c.out, v);
}

/* Stores vector i of block number b. */
KERNEL_INLINE void FN(store_chunk)(kernel_kind kind, const CHUNK c, bool stream, unsigned b,
                                   unsigned i, VECTOR v) {
    const int64_t offset = FN(block_offset)(c.w.out, c.along, c.w.reversed, c.blocks, b);
    FN(store_vector)(kind, c.w.out, c.out, c.to + offset, stream, i, v);
}

/* Along the lines one block after the other: the code of several is long, and takes no less time.
 * Outputs that bypass the caches are held until their cache lines are whole. */
KERNEL_INLINE void FN(scan_chunk)(kernel_kind kind, const panel_walk w, access_pattern in,
                                  access_pattern out, unsigned blocks, bool joined, uint64_t line,
                                  uint64_t k, VECTOR *accumulator) {
#if WIDTH == 32
    if (uses_half_pairs(kind) && blocks > 1) {
        scan_half_chunk(kind, w, in, out, joined, line, k, accumulator);
        return;
    }
#endif
    const bool along = out != ACCESS_INTERLEAVED;
    const bool stream = w.stream && blocks == FN(chunk_blocks)(kind) && !is_half(kind);
    const uint64_t index = FN(lowest)(w, k, along ? blocks * LANES : LANES);
    const CHUNK c = {.w = w,
                     .in = in,
                     .out = out,
                     .from = w.input + FN(offset)(w.in, line, index),
                     .to = w.output + FN(offset)(w.out, line, index),
                     .blocks = blocks,
                     .along = along};
    VECTOR v[CHUNK_BYTES / (LANES * (WIDTH / 8))][LANES];
    KERNEL_ASSUME(blocks <= sizeof v / sizeof v[0]); /* more would be pairs of halves, above */
    for (unsigned b = 0; along && b < blocks; b++) {
        FN(scan_chunk_block)(kind, c, joined, b, v[b], accumulator);
        UNROLL
        for (unsigned i = 0; i < LANES && !stream; i++)
            FN(store_chunk)(kind, c, false, b, i, v[b][i]);
    }
    UNROLL
    for (unsigned b = 0; b < blocks && !along; b++)
        FN(scan_chunk_block)(kind, c, joined, b, v[b], &accumulator[b]);
    UNROLL
    for (unsigned i = 0; i < LANES; i++) {
        UNROLL
        for (unsigned b = 0; b < blocks; b++)
            if (stream || !along)
                FN(store_chunk)(kind, c, stream, b, i, v[b][i]);
    }
}

/* Prefetches LANES contiguous lines, some cache lines ahead of position k on the way of the scan:
 * at the end of the lines it goes on with the next LANES of them. */
KERNEL_INLINE void FN(prefetch_chunk)(kernel_kind kind, const panel_walk w, uint64_t line,
                                      uint64_t k) {
    if (k * kind_size(kind) % 64)
        return;
    uint64_t ahead = k + PREFETCH_BYTES / kind_size(kind);
    if (ahead >= w.length) {
        line += ahead / w.length * LANES;
        ahead %= w.length;
    }
    if (line + LANES > w.lines)
        return;
    const uint64_t index = w.reversed ? w.length - 1 - ahead : ahead;
    const unsigned char *from = w.input + FN(offset)(w.in, line, index);
    UNROLL
    for (unsigned i = 0; i < LANES; i++)
        prefetch_l1(from + (int64_t)i * w.in.line_step);
}

/* From position k on, `lines` lines (at most LANES): whole blocks, if there are so many lines, then
 * partial ones. Also starts joined lines anew, so that it can take over wherever fewer lines than
 * lanes are left. */
KERNEL_INLINE void FN(scan_rest)(kernel_kind kind, const panel_walk w, uint64_t line,
                                 unsigned lines, uint64_t k, VECTOR accumulator) {
    if (lines == LANES)
        for (; k + LANES <= w.length; k += LANES)
            FN(scan_chunk)(kind, w, w.in.pattern, w.out.pattern, 1, false, line, k, &accumulator);
    for (; k < w.length; k += LANES) {
        const uint64_t remaining = w.length - k;
        const unsigned elements = remaining < LANES ? (unsigned)remaining : LANES;
        const uint64_t index = FN(lowest)(w, k, elements);
        const unsigned char *from = w.input + FN(offset)(w.in, line, index);
        unsigned char *to = w.output + FN(offset)(w.out, line, index);
        VECTOR v[LANES];
        FN(load_partial_block)(kind, w.in, from, lines, elements, v);
        for (unsigned j = 0; j < elements; j++) {
            if (k + j && !((k + j) & (w.period - 1)))
                accumulator = FN(zero)();
            accumulator =
                FN(step)(kind, w.exclusive, &v[w.reversed ? elements - 1 - j : j], accumulator);
        }
        FN(store_partial_block)(kind, w.store, w.out, to, lines, elements, v);
    }
}

/*
 * Functions of a kind, which a panel's functions call by pointer, so that their code exists
 * once per kind. `rest` is FN(scan_rest), for what the fast loops leave. `lines` is
 * FN(scan_contiguous_lines).
 */
typedef void FN(rest_function)(const panel_walk *w, uint64_t line, unsigned lines, uint64_t k,
                               const VECTOR *accumulator);
typedef void FN(lines_function)(const panel_walk *w, uint64_t line, VECTOR *accumulator);
typedef struct BLOCK_FUNCTIONS {
    FN(rest_function) * rest;
    FN(lines_function) * lines;
} BLOCK_FUNCTIONS;

/* All whole chunks of LANES contiguous lines. The caller passes the direction as a literal, which
 * makes it a constant in the loop, unless the kind is rare. Returns the position behind the chunks.
 */
KERNEL_INLINE uint64_t FN(scan_line_chunks)(kernel_kind kind, panel_walk w, bool reversed,
                                            uint64_t line, VECTOR *accumulator) {
    const access_pattern contiguous = ACCESS_CONTIGUOUS;
    const unsigned blocks = FN(chunk_blocks)(kind);
    const uint64_t step = FN(chunk_length)(kind);
    uint64_t k = 0;
    w.reversed = reversed;
    VECTOR t = *accumulator;
    for (; k + step <= w.length; k += step) {
        FN(prefetch_chunk)(kind, w, line, k);
        FN(scan_chunk)(kind, w, contiguous, contiguous, blocks, false, line, k, &t);
    }
    *accumulator = t;
    return k;
}

/* All LANES lines of a panel whose operands are contiguous, from number `line` on; the first of
 * them start from *accumulator, which becomes that of the last. Joined lines are one chunk, and lie
 * end to end.
 */
KERNEL_INLINE void FN(scan_contiguous_lines)(kernel_kind kind, const panel_walk *w, uint64_t line,
                                             VECTOR *accumulator, FN(rest_function) * rest) {
    const access_pattern contiguous = ACCESS_CONTIGUOUS;
    const unsigned blocks = FN(chunk_blocks)(kind);
    const panel_walk walk = *w; /* a copy, which the compiler knows that no store changes */
    VECTOR t = *accumulator;
    for (; line + LANES <= walk.lines; line += LANES, t = FN(zero)()) {
        uint64_t k = 0;
        if (walk.period <= walk.length) {
            for (unsigned i = 0; i < LANES * FN(chunk_bytes)(kind); i += 64)
                prefetch_ahead(walk.input + FN(offset)(walk.in, line, 0) + i, false);
            FN(scan_chunk)(kind, walk, contiguous, contiguous, blocks, true, line, 0, &t);
            continue;
        }
        if (is_rare(kind))
            k = FN(scan_line_chunks)(kind, walk, walk.reversed, line, &t);
        else if (walk.reversed)
            k = FN(scan_line_chunks)(kind, walk, true, line, &t);
        else
            k = FN(scan_line_chunks)(kind, walk, false, line, &t);
        for (; k + LANES <= walk.length; k += LANES)
            FN(scan_chunk)(kind, walk, contiguous, contiguous, 1, false, line, k, &t);
        *accumulator = t;
        if (k < walk.length)
            rest(w, line, LANES, k, accumulator);
    }
}

/*
 * Prefetches the input of the bundles PREFETCH_LINES behind number `bundle`: `together` bundles,
 * the `step` elements from position k on, or of the next step for the bundles at the front. So many
 * lines that advance together are more streams than memory is read ahead for by itself.
 */
KERNEL_INLINE void FN(prefetch_bundles)(kernel_kind kind, const panel_walk w, access_pattern in,
                                        uint64_t line, unsigned bundles, unsigned bundle,
                                        unsigned together, uint64_t k, unsigned step) {
    unsigned next = bundle + PREFETCH_LINES / LANES;
    if (next >= bundles) {
        next -= bundles;
        k += step;
    }
    if (!w.large || next + together > bundles || k + step > w.length)
        return;
    const uint64_t first = line + (uint64_t)next * LANES;
    const unsigned char *from = w.input + FN(offset)(w.in, first, FN(lowest)(w, k, step));
    if (in == ACCESS_CONTIGUOUS)
        for (unsigned i = 0; i < together * LANES; i++)
            prefetch_l2(from + (int64_t)i * w.in.line_step);
    else if ((first - line) * kind_size(kind) % 64 == 0)
        for (unsigned i = 0; i < step; i++)
            prefetch_l1(from + (int64_t)i * w.in.element_step);
}

/* Bundles advance together, a chunk at a time, as far as there are whole chunks; their tails follow
 * bundle by bundle. A chunk of an interleaved output takes some bundles together, which divide
 * `bundles`, and a block of each. Several such chunks follow each other, so that a cache line of a
 * contiguous input is used up before other lines evict it. `walk` is *w with what is constant to
 * the caller. */
KERNEL_INLINE void FN(scan_bundles_as)(kernel_kind kind, const panel_walk *w, const panel_walk walk,
                                       access_pattern in, access_pattern out, uint64_t line,
                                       unsigned bundles, const BLOCK_FUNCTIONS *functions) {
    const unsigned blocks = FN(chunk_blocks)(kind);
    const bool across = out == ACCESS_INTERLEAVED;
    const unsigned together = across ? blocks : 1;
    const unsigned length = across ? LANES : blocks * LANES; /* of a chunk */
    VECTOR accumulator[BUNDLES];
    for (unsigned i = 0; i < bundles; i++)
        accumulator[i] = FN(zero)();
    uint64_t k = 0;
    while (k + length <= walk.length) {
        const uint64_t whole = (walk.length - k) / length;
        const unsigned chunks = whole < together ? (unsigned)whole : together;
        for (unsigned i = 0; i < bundles; i += together) {
            const uint64_t first = line + (uint64_t)i * LANES;
            FN(prefetch_bundles)(kind, walk, in, line, bundles, i, together, k, chunks * length);
            for (unsigned j = 0; j < chunks; j++) {
                const uint64_t at = k + (uint64_t)j * length;
                FN(scan_chunk)(kind, walk, in, out, blocks, false, first, at, &accumulator[i]);
            }
        }
        k += (uint64_t)chunks * length;
    }
    for (unsigned i = 0; i < bundles && k < walk.length; i++)
        functions->rest(w, line + (uint64_t)i * LANES, LANES, k, &accumulator[i]);
}

/* Pairs of FLOAT16 blocks have direction and exclusivity as constants in the usual case: their
 * chunks are short enough for the tests to be felt. */
KERNEL_INLINE void FN(scan_bundles)(kernel_kind kind, const panel_walk *w, access_pattern in,
                                    access_pattern out, uint64_t line, unsigned bundles,
                                    const BLOCK_FUNCTIONS *functions) {
    panel_walk walk = *w; /* a copy, which the compiler knows that no store changes */
    if (uses_half_pairs(kind) && FN(chunk_blocks)(kind) > 1 && !walk.reversed && !walk.exclusive) {
        walk.reversed = walk.exclusive = false;
        FN(scan_bundles_as)(kind, w, walk, in, out, line, bundles, functions);
    } else {
        FN(scan_bundles_as)(kind, w, walk, in, out, line, bundles, functions);
    }
}

/* Everything that is scanned in blocks: bundles if one operand is interleaved, as many as are
 * written together, then the lines that are left. Half as many bundles if the output is the
 * interleaved operand: the cache lines of 256 rows are still there when the next chunk writes them
 * again, those of 512 may not be. */
KERNEL_INLINE void FN(scan_panel_blocks)(kernel_kind kind, const panel_walk *w,
                                         const BLOCK_FUNCTIONS *functions) {
    const access_pattern contiguous = ACCESS_CONTIGUOUS, interleaved = ACCESS_INTERLEAVED;
    const bool to_interleaved = w->out.pattern == interleaved;
    const unsigned most = to_interleaved ? BUNDLES / 2 : BUNDLES;
    const unsigned together = to_interleaved ? FN(chunk_blocks)(kind) : 1;
    uint64_t line = 0;
    while (!both_contiguous(w) && line + (uint64_t)together * LANES <= w->lines) {
        const uint64_t remaining = (w->lines - line) / LANES / together * together;
        const unsigned bundles = remaining < most ? (unsigned)remaining : most;
        if (to_interleaved)
            FN(scan_bundles)(kind, w, contiguous, interleaved, line, bundles, functions);
        else
            FN(scan_bundles)(kind, w, interleaved, contiguous, line, bundles, functions);
        line += (uint64_t)bundles * LANES;
    }
    VECTOR accumulator = FN(zero)();
    if (both_contiguous(w)) {
        functions->lines(w, 0, &accumulator);
        line = w->lines / LANES * LANES;
        accumulator = FN(zero)();
    }
    for (; line < w->lines; line += LANES) {
        const uint64_t remaining = w->lines - line;
        functions->rest(w, line, remaining < LANES ? (unsigned)remaining : LANES, 0, &accumulator);
    }
}

#undef PREFETCH_BYTES
#undef PREFETCH_LINES
#undef BUNDLES
