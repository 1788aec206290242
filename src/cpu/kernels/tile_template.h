/* SPDX-License-Identifier: MIT */
/*
 * A line of any step, tile by tile: where its elements are not neighbours, a tile is gathered, and
 * its outputs scattered. And with that, parts of lines of integers.
 *
 * Included once per lane width, after line_template.h. Parameters:
 *   WIDTH, LANES, VECTOR   as in panel_template.h
 */

#define TILE_JOIN2(name, width) name##width
#define TILE_JOIN(name, width)  TILE_JOIN2(name, width)
#define FN(name)                TILE_JOIN(name, WIDTH)

/* A tile's elements, side by side, in the order of memory. */
typedef struct FN(tile) {
    unsigned char bytes[LINE_TILE * (WIDTH / 8)];
} FN(tile);

KERNEL_INLINE int64_t FN(tile_offset)(const panel_walk *w, const panel_side side, uint64_t k,
                                      unsigned count) {
    return (int64_t)(w->reverse ? w->length - k - count : k) * side.element;
}

/* The tile at position k as a line of its own, to be read. */
KERNEL_INLINE FN(line) FN(tile_input)(element_kind kind, const panel_walk *w, uint64_t k,
                                      unsigned count, FN(tile) * copy) {
    FN(line)
    line = {.in = w->input + FN(tile_offset)(w, w->in, k, count),
            .length = count,
            .reverse = w->reverse,
            .exclusive = w->exclusive};
    if (w->in.way != WAY_LINE) {
        gather_elements(kind_size(kind), copy->bytes, line.in, w->in.element, count);
        line.in = copy->bytes;
    }
    return line;
}

/* The same, to be written too. */
KERNEL_INLINE FN(line) FN(tile_of)(element_kind kind, const panel_walk *w, uint64_t k,
                                   unsigned count, FN(tile) * copy) {
    FN(line) line = FN(tile_input)(kind, w, k, count, copy);
    const bool direct = w->out.way == WAY_LINE;
    line.out = direct ? w->output + FN(tile_offset)(w, w->out, k, count) : copy->bytes;
    line.stream = direct && w->stream;
    return line;
}

/* After the tile's outputs are in line.out. */
KERNEL_INLINE void FN(tile_done)(element_kind kind, const panel_walk *w, uint64_t k, unsigned count,
                                 const FN(tile) * copy) {
    if (w->out.way != WAY_LINE)
        scatter_elements(kind_size(kind), w->output + FN(tile_offset)(w, w->out, k, count),
                         w->out.element, copy->bytes, count);
}

static inline unsigned FN(tile_count)(const panel_walk *w, uint64_t k) {
    const uint64_t rest = w->length - k;
    return rest < LINE_TILE ? (unsigned)rest : LINE_TILE;
}

/* The outputs of a tile, whose position in its part is k. */
KERNEL_INLINE void FN(tile_runs)(element_kind kind, const FN(line) line, const read_ahead ahead,
                                 uint64_t k, FN(carry) * c) {
    for (unsigned i = 0; i < line.length; i += READ_AHEAD) {
        const unsigned rest = (unsigned)line.length - i;
        read_some(ahead, k + i, kind_size(kind));
        FN(runs)(kind, line, i, rest < READ_AHEAD ? rest : READ_AHEAD, c);
    }
}

/* An integer, modulo 2^WIDTH. */
#if WIDTH == 32
typedef uint32_t FN(lane);
#else
typedef uint64_t FN(lane);
#endif

KERNEL_INLINE VECTOR FN(all_lanes_integer)(uint64_t value) {
    FN(lane) lanes[LANES];
    for (size_t i = 0; i < LANES; i++)
        lanes[i] = (FN(lane))value;
    return FN(load)(lanes);
}

/* The sum of a tile, spread over the lanes. */
KERNEL_INLINE VECTOR FN(tile_sum)(element_kind kind, const FN(line) line) {
    VECTOR v[LINE_BLOCK / LANES], sum[LINE_BLOCK / LANES];
    unsigned k = 0;
    UNROLL
    for (size_t r = 0; r < LINE_BLOCK / LANES; r++)
        sum[r] = FN(zero)();
    for (; k + LINE_BLOCK <= line.length; k += LINE_BLOCK) {
        FN(load_run)(kind, line, k, LINE_BLOCK, v);
        UNROLL
        for (size_t r = 0; r < LINE_BLOCK / LANES; r++)
            sum[r] = FN(add_elements)(kind, sum[r], v[r]);
    }
    if (k < line.length) {
        FN(load_run)(kind, line, k, (unsigned)line.length - k, v);
        for (size_t r = 0; r < LINE_BLOCK / LANES; r++)
            sum[r] = FN(add_elements)(kind, sum[r], v[r]);
    }
    for (size_t r = 1; r < LINE_BLOCK / LANES; r++)
        sum[0] = FN(add_elements)(kind, sum[0], sum[r]);
    return sum[0];
}

KERNEL_INLINE void FN(integers_total)(element_kind kind, const panel_walk *w,
                                      cumsum_segment_sums *sums) {
    VECTOR sum = FN(zero)();
    for (uint64_t k = 0; k < w->length; k += LINE_TILE) {
        FN(tile) copy;
        const FN(line) line = FN(tile_input)(kind, w, k, FN(tile_count)(w, k), &copy);
        sum = FN(add_elements)(kind, sum, FN(tile_sum)(kind, line));
    }
    FN(lane) lanes[LANES], total = 0;
    FN(store)(lanes, sum);
    for (size_t i = 0; i < LANES; i++)
        total += lanes[i];
    sums->integer = total;
}

/* With state not NULL, from what it says on, and it moves on. */
KERNEL_INLINE void FN(integers_write)(element_kind kind, const panel_walk *w,
                                      const cumsum_segment_sums *before, cumsum_carry *state,
                                      const read_ahead ahead) {
    const VECTOR tally = FN(all_lanes_integer)(state ? state->integer : before->integer);
    FN(carry) c = {FN(zero)(), tally, tally};
    for (uint64_t k = 0; k < w->length; k += LINE_TILE) {
        const unsigned count = FN(tile_count)(w, k);
        FN(tile) copy;
        FN(tile_runs)(kind, FN(tile_of)(kind, w, k, count, &copy), ahead, k, &c);
        FN(tile_done)(kind, w, k, count, &copy);
    }
    if (state) {
        FN(lane) lanes[LANES];
        FN(store)(lanes, c.blocks);
        state->integer = lanes[0];
    }
}

#undef FN
#undef TILE_JOIN
#undef TILE_JOIN2
