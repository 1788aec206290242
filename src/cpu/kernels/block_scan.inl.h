/* SPDX-License-Identifier: MIT */
/*
 * The sequential and the blocked order on a panel in blocks (blocks.inl.h), lanes being lines.
 * Integers come here too where their lines are too short for line_scan.inl.h.
 *
 * In the sequential order each lane adds up its own line one element after the other, so the bits
 * are those of the reference. In the blocked order a block of 16 elements is four quarters
 * (column_state.h), whose network, carries and levels have no shuffles.
 *
 * Contiguous lines are scanned one vector of them after the other, from end to end. If one operand
 * is interleaved, bundles of LANES lines, up to 512 in all, advance together, a chunk at a time:
 * then a row of the interleaved operand is touched in long pieces. What is left, fewer lines than
 * lanes or elements than a chunk, goes by partial blocks.
 *
 * Parameter: WIDTH (kernel_macros.h). block_scans.inl.h includes this file after blocks.inl.h.
 */
#ifndef WIDTH
#error "block_scan.inl.h: define WIDTH"
#endif

/* Lines between the ones that are scanned and the ones that are prefetched. Measured: 16 are less
 * time than memory takes. */
#define PREFETCH_LINES 32

/* Vectors of a chunk that registers hold, or nearly so, until its rows are stored. In a
 * second-level cache it takes less time to store rows of 16 vectors as they come, but long rows
 * that bypass the caches then take 1.3 to 1.5 times as long (Zen 5, 4096 lines of FLOAT32 side by
 * side). With vectors of 16 bytes they are stored as they come. */
#define HELD_VECTORS (LANES32 > 4 ? 16 : 8)

/* Bytes of a contiguous line between what is scanned and what is prefetched. */
#define PREFETCH_BYTES 1024

KERNEL_INLINE void FN(copy_state)(lanes_order order, VECTOR *to, const VECTOR *from) {
    UNROLL
    for (unsigned i = 0; i < state_vectors(order); i++)
        to[i] = from[i];
}

/* Adds up a block in place, from what `state` has of its lines on: an accumulator, or, in the
 * blocked order, a column_state. Its first position in the lines is k. */
KERNEL_INLINE void FN(scan_block_as)(kernel_kind kind, lanes_order order, bool reversed,
                                     bool exclusive, uint64_t period, uint64_t k, VECTOR v[LANES],
                                     VECTOR *state) {
    VECTOR x[LANES], t = *state;
    UNROLL
    for (unsigned j = 0; j < LANES; j++)
        x[j] = reversed ? v[LANES - 1 - j] : v[j];
#if WIDTH == 32
    if (order == LANES_BLOCKED) {
        column_state s = *(const column_state *)(const void *)state;
        UNROLL
        for (unsigned j = 0; j < LANES; j += ROWS)
            scan_quarter(kind, (unsigned)(k + j) % LINE_BLOCK / ROWS, exclusive, x + j, &s);
        *(column_state *)(void *)state = s;
    }
#endif
    UNROLL
    for (unsigned j = 0; j < LANES && order != LANES_BLOCKED; j++) {
        if (order == LANES_JOINED && (j || k) && !((k + j) & (period - 1)))
            t = FN(zero)();
        const VECTOR next = FN(add_elements)(kind, t, x[j]);
        x[j] = exclusive ? t : next;
        t = next;
    }
    if (order != LANES_BLOCKED)
        *state = t;
    UNROLL
    for (unsigned j = 0; j < LANES; j++)
        v[j] = reversed ? x[LANES - 1 - j] : x[j];
}

/* Some blocks, whose lines follow each other or are the same (`along`). */
KERNEL_INLINE void FN(scan_some_as)(kernel_kind kind, lanes_order order, unsigned blocks,
                                    bool along, bool reversed, bool exclusive, uint64_t period,
                                    uint64_t k, VECTOR v[][LANES], VECTOR *state) {
    UNROLL
    for (unsigned b = 0; b < blocks; b++) {
        VECTOR *const of_block = along ? state : FN(state_of)(order, state, b);
        const uint64_t at = along ? k + (uint64_t)b * LANES : k;
        const unsigned i = along && reversed ? blocks - 1 - b : b;
        FN(scan_block_as)(kind, order, reversed, exclusive, period, at, v[i], of_block);
    }
}

/* Tests direction and exclusivity once, so that they are constants in the loops. */
KERNEL_INLINE void FN(scan_some)(kernel_kind kind, lanes_order order, unsigned blocks, bool along,
                                 const panel_walk w, uint64_t k, VECTOR v[][LANES], VECTOR *state) {
    const uint64_t period = w.period;
    if (is_rare(kind))
        FN(scan_some_as)(kind, order, blocks, along, w.reversed, w.exclusive, period, k, v, state);
    else if (w.reversed && w.exclusive)
        FN(scan_some_as)(kind, order, blocks, along, true, true, period, k, v, state);
    else if (w.reversed)
        FN(scan_some_as)(kind, order, blocks, along, true, false, period, k, v, state);
    else if (w.exclusive)
        FN(scan_some_as)(kind, order, blocks, along, false, true, period, k, v, state);
    else
        FN(scan_some_as)(kind, order, blocks, along, false, false, period, k, v, state);
}

/* Bytes to the lowest of the `count` elements that the scan visits from position k on. */
KERNEL_INLINE int64_t FN(block_start)(const panel_walk w, const operand of, uint64_t line,
                                      uint64_t k, unsigned count) {
    return (int64_t)line * of.line_step + scan_offset(&w, of, k, count);
}

/* Bytes from the start of a chunk to its unit number u in the order of the scan: along the lines,
 * or of other lines if the output is interleaved. */
KERNEL_INLINE int64_t FN(unit_start)(kernel_kind kind, const panel_walk w, const operand of,
                                     unsigned units, unsigned u) {
    const unsigned last = units - 1, elements = FN(unit_blocks)(kind) * LANES;
    if (w.out.pattern == ACCESS_INTERLEAVED)
        return (int64_t)(u * elements) * of.line_step;
    return (int64_t)((w.reversed ? last - u : u) * elements) * of.element_step;
}

/* Unit number u of the chunk at `from`: its outputs are `packed`. */
KERNEL_INLINE void FN(scan_unit)(kernel_kind kind, lanes_order order, const panel_walk w,
                                 const unsigned char *from, unsigned units, uint64_t k, unsigned u,
                                 VECTOR packed[LANES], VECTOR *state) {
    const bool along = w.out.pattern != ACCESS_INTERLEAVED;
    const unsigned blocks = FN(unit_blocks)(kind);
    VECTOR v[2][LANES];
    FN(load_unit)(kind, w.in, along, from + FN(unit_start)(kind, w, w.in, units, u), v);
    if (along)
        k += (uint64_t)u * blocks * LANES;
    else
        state = FN(state_of)(order, state, (size_t)u * blocks);
    FN(scan_some)(kind, order, blocks, along, w, k, v, state);
    FN(arrange_unit)(kind, w.store, w.out, v, packed);
}

/*
 * A chunk at position k: units that are neighbours in the output. If that is contiguous they follow
 * each other along the lines and share a state. If it is interleaved they are of other lines each,
 * with a state for each block.
 *
 * Units are unrolled if the output is interleaved and registers hold the rows of all units. Pairs
 * of FLOAT16 are unrolled in the sequential order alone, with either output (rows are then 1.13
 * times as fast, AVX2 on Zen 5). In the other cases a loop over the units takes no more time and is
 * less code. Outputs are held until all units are scanned if these are unrolled, and until a whole
 * cache line is there if they bypass the caches.
 */
KERNEL_INLINE void FN(scan_chunk)(kernel_kind kind, lanes_order order, const panel_walk w,
                                  unsigned units, uint64_t line, uint64_t k, VECTOR *state) {
    const bool along = w.out.pattern != ACCESS_INTERLEAVED;
    const unsigned blocks = units * FN(unit_blocks)(kind);
    const bool stream = w.stream && (size_t)blocks * LANES * kind_size(kind) == 64;
    const bool exceeds = FN(unit_blocks)(kind) > 1 || units * LANES > HELD_VECTORS;
    const bool pairs = FN(unit_blocks)(kind) > 1 && order == LANES_SEQUENTIAL;
    const unsigned unrolled = !pairs && (along || exceeds) ? 0 : units;
    const unsigned count = along ? blocks * LANES : LANES;
    const unsigned char *from = w.input + FN(block_start)(w, w.in, line, k, count);
    unsigned char *to = w.output + FN(block_start)(w, w.out, line, k, count);
    VECTOR held[CHUNK_BYTES / sizeof(VECTOR)][LANES];
    KERNEL_ASSUME(units <= sizeof held / sizeof held[0]);
    for (unsigned u = unrolled; u < units; u++) {
        unsigned char *at = to + FN(unit_start)(kind, w, w.out, units, u);
        VECTOR packed[LANES];
        FN(scan_unit)(kind, order, w, from, units, k, u, packed, state);
        UNROLL
        for (unsigned i = 0; i < LANES; i++)
            if (stream)
                held[u][i] = packed[i];
            else
                FN(store_vector)(kind, w.out, false, at, i, packed[i]);
    }
    UNROLL
    for (unsigned u = 0; u < unrolled; u++)
        FN(scan_unit)(kind, order, w, from, units, k, u, held[u], state);
    UNROLL
    for (unsigned i = 0; i < LANES; i++) {
        UNROLL
        for (unsigned u = 0; u < units; u++) {
            unsigned char *at = to + FN(unit_start)(kind, w, w.out, units, u);
            if (stream || unrolled)
                FN(store_vector)(kind, w.out, stream, at, i, held[u][i]);
        }
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
    const unsigned char *from = w.input + FN(block_start)(w, w.in, line, ahead, 1);
    UNROLL
    for (int i = 0; i < LANES; i++)
        prefetch_l1(from + i * w.in.line_step);
}

/* All whole chunks of LANES contiguous lines, from position k up to `end`. The caller passes the
 * direction as a literal, which makes it a constant in the loop, unless the kind is rare. Returns
 * the position behind the chunks. */
KERNEL_INLINE uint64_t FN(scan_line_chunks)(kernel_kind kind, lanes_order order, panel_walk w,
                                            bool reversed, uint64_t line, uint64_t k, uint64_t end,
                                            VECTOR *state) {
    const unsigned step = FN(chunk_blocks)(kind) * LANES;
    VECTOR t[MOST_STATE_VECTORS]; /* a copy, which the compiler knows that no store changes */
    w.reversed = reversed;
    FN(copy_state)(order, t, state);
    for (; k + step <= end; k += step) {
        FN(prefetch_chunk)(kind, w, line, k);
        FN(scan_chunk)(kind, order, w, FN(chunk_units)(kind), line, k, t);
    }
    FN(copy_state)(order, state, t);
    return k;
}

/* Whole chunks, and then units, of LANES contiguous lines. Joined lines are one chunk, and lie end
 * to end. Returns the position behind them. */
KERNEL_INLINE uint64_t FN(scan_contiguous)(kernel_kind kind, lanes_order order, panel_walk w,
                                           uint64_t line, uint64_t k, uint64_t end, VECTOR *state) {
    w.in.pattern = w.out.pattern = ACCESS_CONTIGUOUS;
    w.in.element_step = w.out.element_step = (int64_t)kind_size(kind);
    const unsigned unit = FN(unit_blocks)(kind) * LANES;
    const bool takes_units = order == LANES_SEQUENTIAL || unit > LANES;
    if (order == LANES_SEQUENTIAL && w.period <= w.length) {
        const unsigned char *from = w.input + (int64_t)line * w.in.line_step;
        for (unsigned i = 0; i < LANES * FN(chunk_bytes)(kind); i += 64)
            prefetch_ahead(from + i, false);
        FN(scan_chunk)(kind, LANES_JOINED, w, FN(chunk_units)(kind), line, 0, state);
        return end;
    }
    if (is_rare(kind) || order == LANES_BLOCKED)
        k = FN(scan_line_chunks)(kind, order, w, w.reversed, line, k, end, state);
    else if (w.reversed)
        k = FN(scan_line_chunks)(kind, order, w, true, line, k, end, state);
    else
        k = FN(scan_line_chunks)(kind, order, w, false, line, k, end, state);
    for (; takes_units && k + unit <= end; k += unit)
        FN(scan_chunk)(kind, order, w, 1, line, k, state);
    return k;
}

/*
 * Prefetches the input of the bundles PREFETCH_LINES behind number `bundle`: `together` bundles,
 * the `step` elements from position k on, or of the next step for the bundles at the front. So many
 * lines that advance together are more streams than memory is read ahead for by itself.
 */
KERNEL_INLINE void FN(prefetch_bundles)(kernel_kind kind, const panel_walk w, uint64_t line,
                                        unsigned bundles, unsigned bundle, unsigned together,
                                        uint64_t k, unsigned step) {
    unsigned next = bundle + PREFETCH_LINES / LANES;
    if (next >= bundles) {
        next -= bundles;
        k += step;
    }
    if (!w.large || next + together > bundles || k + step > w.length)
        return;
    const unsigned char *from =
        w.input + FN(block_start)(w, w.in, line + (uint64_t)next * LANES, k, step);
    if (w.in.pattern == ACCESS_CONTIGUOUS)
        for (unsigned i = 0; i < together * LANES; i++)
            prefetch_l2(from + (int64_t)i * w.in.line_step);
    else if ((size_t)next * LANES * kind_size(kind) % 64 == 0)
        for (unsigned i = 0; i < step; i++)
            prefetch_l1(from + (int64_t)i * w.in.element_step);
}

/* Bundles advance together, a chunk at a time, from position k up to `end`, as far as there are
 * whole chunks. A chunk of an interleaved output takes some bundles together, which divide
 * `bundles`, and a block of each. Several such chunks follow each other, so that a cache line of a
 * contiguous input is used up before other lines evict it. Returns the position behind them. */
KERNEL_INLINE uint64_t FN(scan_bundles)(kernel_kind kind, lanes_order order, panel_walk w,
                                        access_pattern in, access_pattern out, uint64_t line,
                                        unsigned bundles, uint64_t k, uint64_t end, VECTOR *state) {
    const unsigned units = FN(chunk_units)(kind), blocks = FN(chunk_blocks)(kind);
    const bool across = out == ACCESS_INTERLEAVED;
    w.in.pattern = in;
    w.out.pattern = out;
    const unsigned together = across ? blocks : 1;
    const unsigned length = across ? LANES : blocks * LANES; /* of a chunk */
    while (k + length <= end) {
        const uint64_t whole = (end - k) / length;
        const unsigned chunks = whole < together ? (unsigned)whole : together;
        for (unsigned i = 0; i < bundles; i += together) {
            FN(prefetch_bundles)(kind, w, line, bundles, i, together, k, chunks * length);
            for (unsigned j = 0; j < chunks; j++) {
                const uint64_t first = line + (uint64_t)i * LANES, at = k + (uint64_t)j * length;
                VECTOR *const of_chunk = FN(state_of)(order, state, i);
                FN(scan_chunk)(kind, order, w, units, first, at, of_chunk);
            }
        }
        k += (uint64_t)chunks * length;
    }
    return k;
}

/* Between the order of memory and that of a reversed scan. */
KERNEL_INLINE void FN(reverse_elements)(VECTOR v[LANES], unsigned elements) {
    for (unsigned j = 0; j < elements / 2; j++) {
        const VECTOR kept = v[j];
        v[j] = v[elements - 1 - j];
        v[elements - 1 - j] = kept;
    }
}

/* A block of fewer lines or elements. Those that it lacks are visited last. */
KERNEL_INLINE void FN(scan_partial_block)(kernel_kind kind, lanes_order order, const panel_walk w,
                                          uint64_t line, unsigned lines, uint64_t k,
                                          unsigned elements, VECTOR *state) {
    const unsigned char *from = w.input + FN(block_start)(w, w.in, line, k, elements);
    unsigned char *to = w.output + FN(block_start)(w, w.out, line, k, elements);
    VECTOR v[LANES];
    FN(load_partial_block)(kind, w.in, from, lines, elements, v);
    if (w.reversed)
        FN(reverse_elements)(v, elements);
    if (w.exclusive)
        FN(scan_block_as)(kind, order, false, true, w.period, k, v, state);
    else
        FN(scan_block_as)(kind, order, false, false, w.period, k, v, state);
    if (w.reversed)
        FN(reverse_elements)(v, elements);
    FN(store_partial_block)(kind, w.store, w.out, to, lines, elements, v);
}

KERNEL_INLINE void FN(scan_whole_block)(kernel_kind kind, lanes_order order, const panel_walk w,
                                        uint64_t line, uint64_t k, VECTOR *state) {
    unsigned char *to = w.output + FN(block_start)(w, w.out, line, k, LANES);
    VECTOR v[1][LANES];
    FN(load_block)(kind, w.in, w.input + FN(block_start)(w, w.in, line, k, LANES), v[0]);
    FN(scan_some)(kind, order, 1, true, w, k, v, state);
    FN(arrange_block)(kind, w.store, w.out, v[0]);
    UNROLL
    for (int i = 0; i < LANES; i++)
        FN(store_elements)(kind, to + i * FN(vector_step)(w.out), v[0][i]);
}

/* What chunks leave of up to LANES lines, from position k up to `end`. It starts joined lines
 * anew, so that it can take over wherever fewer lines than lanes are left. */
KERNEL_INLINE void FN(scan_rest)(kernel_kind kind, lanes_order order, const panel_walk w,
                                 uint64_t line, unsigned lines, uint64_t k, uint64_t end,
                                 VECTOR *state) {
    const lanes_order joins = order == LANES_SEQUENTIAL ? LANES_JOINED : order;
    VECTOR t[MOST_STATE_VECTORS];
    FN(copy_state)(order, t, state);
    for (; k < end; k += LANES) {
        const unsigned elements = (unsigned)cumsum_least(end - k, LANES);
        if (lines == LANES && elements == LANES)
            FN(scan_whole_block)(kind, order, w, line, k, t);
        else
            FN(scan_partial_block)(kind, joins, w, line, lines, k, elements, t);
    }
    FN(copy_state)(order, state, t);
}

/* FN(scan_rest) of a kind and an order, which is called by pointer so that its code exists once. */
typedef void FN(rest_function)(const panel_walk *w, uint64_t line, unsigned lines, uint64_t k,
                               uint64_t end, VECTOR *state);

/* Some lines from end to end, with chunks if `in` and `out` are patterns that have them: then the
 * lines are whole bundles. In the blocked order all of them reach the end of a tile together. `w`
 * is *walk with what is constant to the caller. */
KERNEL_INLINE void FN(scan_lines)(kernel_kind kind, lanes_order order, const panel_walk *walk,
                                  const panel_walk w, access_pattern in, access_pattern out,
                                  uint64_t line, unsigned lines, FN(rest_function) * rest,
                                  VECTOR *state) {
    const unsigned vectors = (lines + LANES - 1) / LANES;
    const column_states all = FN(begin_lines)(order, &w, line, lines, vectors, state, w.scratch);
    for (uint64_t k = 0, end, at; k < w.length; k = end) {
        end = order == LANES_BLOCKED && w.length - k > LINE_TILE ? k + LINE_TILE : w.length;
        if (order == LANES_BLOCKED && k)
            finish_tiles(kind, k, vectors, &all);
        at = k;
        if (in == ACCESS_CONTIGUOUS && out == ACCESS_CONTIGUOUS)
            at = FN(scan_contiguous)(kind, order, w, line, k, end, state);
        else if (in != ACCESS_STRIDED)
            at = FN(scan_bundles)(kind, order, w, in, out, line, vectors, k, end, state);
        for (unsigned i = 0; i < vectors && at < end; i++) {
            rest(walk, line + (uint64_t)i * LANES, (unsigned)cumsum_least(lines - i * LANES, LANES),
                 at, end, FN(state_of)(order, state, i));
        }
    }
    if (order != LANES_BLOCKED)
        FN(end_lines)(&w, line, lines, state);
}

/* Lines that advance together if one operand is interleaved. 512 lines of FLOAT32 are 2 KiB of a
 * row: half a page, so that a page is looked up for many cache lines. Half as many if the output
 * is: the cache lines of 256 rows are still there when the next chunk writes them again, those of
 * 512 may not be; and in the blocked order if levels are on the stack. There are two of these at
 * most: 256 lines of more than 2^30 elements are more than a tensor has. */
KERNEL_INLINE unsigned FN(lines_together)(lanes_order order, const panel_walk w) {
    const bool on_stack =
        order == LANES_BLOCKED && !w.scratch && cumsum_blocked_depth(w.length) > 0;
    return on_stack || w.out.pattern == ACCESS_INTERLEAVED ? 256 : 512;
}

/* Whole bundles of lines, with these access patterns as constants; returns the lines. `w` is *walk
 * with what is constant to the caller. */
KERNEL_INLINE uint64_t FN(scan_patterns_as)(kernel_kind kind, lanes_order order,
                                            const panel_walk *walk, const panel_walk w,
                                            access_pattern in, access_pattern out,
                                            FN(rest_function) * rest, VECTOR *state) {
    const bool contiguous = in == out;
    const unsigned chunk = LANES * (out == ACCESS_INTERLEAVED ? FN(chunk_blocks)(kind) : 1);
    const unsigned most = contiguous ? LANES : FN(lines_together)(order, w);
    const uint64_t whole = w.lines - w.lines % chunk;
    for (uint64_t line = 0, lines; line < whole; line += lines) {
        lines = contiguous || whole - line >= most ? most : whole - line;
        FN(scan_lines)(kind, order, walk, w, in, out, line, (unsigned)lines, rest, state);
    }
    return whole;
}

/* Pairs of FLOAT16 blocks have direction and exclusivity as constants in the usual case: their
 * chunks are short enough for the tests to be felt. */
KERNEL_INLINE uint64_t FN(scan_patterns)(kernel_kind kind, lanes_order order,
                                         const panel_walk *walk, access_pattern in,
                                         access_pattern out, FN(rest_function) * rest,
                                         VECTOR *state) {
    panel_walk w = *walk; /* a copy, which the compiler knows that no store changes */
    if (uses_half_pairs(kind) && in != out && order != LANES_BLOCKED && !w.reversed &&
        !w.exclusive) {
        w.reversed = w.exclusive = false;
        return FN(scan_patterns_as)(kind, order, walk, w, in, out, rest, state);
    }
    return FN(scan_patterns_as)(kind, order, walk, w, in, out, rest, state);
}

/* Everything that is scanned in blocks. `state` has room for the lines that advance together. */
KERNEL_INLINE void FN(scan_panel_blocks)(kernel_kind kind, lanes_order order, const panel_walk *w,
                                         FN(rest_function) * rest, VECTOR *state) {
    const access_pattern contiguous = ACCESS_CONTIGUOUS, interleaved = ACCESS_INTERLEAVED;
    const access_pattern any = ACCESS_STRIDED; /* no chunks */
    uint64_t line;
    if (both_contiguous(w))
        line = FN(scan_patterns)(kind, order, w, contiguous, contiguous, rest, state);
    else if (w->out.pattern == interleaved)
        line = FN(scan_patterns)(kind, order, w, contiguous, interleaved, rest, state);
    else
        line = FN(scan_patterns)(kind, order, w, interleaved, contiguous, rest, state);
    for (; line < w->lines; line += LANES) {
        const unsigned lines = (unsigned)cumsum_least(w->lines - line, LANES);
        FN(scan_lines)(kind, order, w, *w, any, any, line, lines, rest, state);
    }
}

#undef HELD_VECTORS
#undef PREFETCH_BYTES
#undef PREFETCH_LINES
