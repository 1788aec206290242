/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_LINE_PARTS_KERNELS_H
#define CUMSUM_CPU_LINE_PARTS_KERNELS_H

/* Parts of a line (segment.h): the blocked order, and what integers need beyond
 * tile_template.h. */

#define TILE_BLOCKS (LINE_TILE / LINE_BLOCK)

/* The totals of 16 blocks from position k on. A block's total is element 15 of Sklansky's network:
 * neighbours are added, then neighbours of these, four times. */
KERNEL_INLINE void block_totals(element_kind kind, const line32 line, unsigned k,
                                float totals[LINE_BLOCK]) {
    v32 v[LINE_BLOCK * LINE_BLOCK / LANES32];
    UNROLL
    for (size_t b = 0; b < LINE_BLOCK; b++)
        load_run32(kind, line, k + b * LINE_BLOCK, LINE_BLOCK, v + b * LINE_BLOCK / LANES32);
    UNROLL
    for (unsigned n = LINE_BLOCK * LINE_BLOCK / LANES32; n > LINE_BLOCK / LANES32; n /= 2) {
        UNROLL
        for (size_t i = 0; i < n / 2; i++)
            v[i] = add_elements32(kind, odds32(v[2 * i], v[2 * i + 1]),
                                  evens32(v[2 * i], v[2 * i + 1]));
    }
    UNROLL
    for (size_t i = 0; i < LINE_BLOCK / LANES32; i++)
        store32(totals + i * LANES32, v[i]);
}

/* Tiles that are summed together: a lane each. */
typedef struct tile_totals {
    float blocks[LANES32][TILE_BLOCKS];
    v32 carry;      /* c[b] */
    v32 before;     /* the one before that */
    v32 last_block; /* the block's total by which they differ */
} tile_totals;

/* The carries run over the blocks of all tiles at once. */
KERNEL_INLINE void add_blocks(element_kind kind, tile_totals *t) {
    t->carry = zero32();
    for (unsigned b = 0; b < TILE_BLOCKS; b += LANES32) {
        v32 v[LANES32];
        for (unsigned l = 0; l < LANES32; l++)
            v[l] = load32(t->blocks[l] + b);
        transpose32(v);
        for (unsigned i = 0; i < LANES32; i++) {
            t->before = t->carry;
            t->carry = add_elements32(kind, t->carry, v[i]);
        }
        t->last_block = v[LANES32 - 1];
    }
}

/* The totals of the whole tiles of a part; a rest behind them concerns nobody. */
KERNEL_INLINE void blocked_total(element_kind kind, const panel_walk *w,
                                 cumsum_segment_sums *sums) {
    const unsigned tiles = (unsigned)(w->length / LINE_TILE);
    for (unsigned first = 0; first < tiles; first += LANES32) {
        const unsigned count = tiles - first < LANES32 ? tiles - first : LANES32;
        float lanes[3][LANES32];
        tile_totals t;
        if (count < LANES32)
            memset(t.blocks, 0, sizeof t.blocks);
        for (unsigned l = 0; l < count; l++) {
            tile32 copy;
            const uint64_t k = (uint64_t)(first + l) * LINE_TILE;
            const line32 line = tile_input32(kind, w, k, LINE_TILE, &copy);
            for (unsigned b = 0; b < TILE_BLOCKS; b += LINE_BLOCK)
                block_totals(kind, line, b * LINE_BLOCK, t.blocks[l] + b);
        }
        add_blocks(kind, &t);
        store32(lanes[0], t.carry);
        store32(lanes[1], t.before);
        store32(lanes[2], t.last_block);
        memcpy(sums->blocked.tiles + first, lanes[0], count * sizeof(float));
        sums->blocked.last[0] = lanes[1][count - 1];
        sums->blocked.last[1] = lanes[2][count - 1];
    }
}

KERNEL_INLINE void blocked_advance(element_kind kind, uint64_t length, cumsum_segment_sums *sums,
                                   cumsum_carry *state) {
    const uint64_t tiles = length / LINE_TILE;
    float tally = state->blocked.tiles;
    sums->blocked.before = state->blocked.before;
    for (uint64_t t = 0; t < tiles; t++) {
        const float total = sums->blocked.tiles[t];
        sums->blocked.tiles[t] = tally;
        if (t + 1 == tiles)
            state->blocked.before = add_scalars(
                kind, add_scalars(kind, tally, sums->blocked.last[0]), sums->blocked.last[1]);
        tally = push_total(kind, state->blocked.levels, 0, total);
    }
    if (tiles * LINE_TILE < length)
        sums->blocked.tiles[tiles] = tally;
    state->blocked.tiles = tally;
}

/* Writes a part: with what comes before its tiles, or, where state is not NULL, finding that on the
 * way. */
KERNEL_INLINE void blocked_write(element_kind kind, const panel_walk *w,
                                 const cumsum_segment_sums *before, cumsum_carry *state,
                                 const read_ahead ahead) {
    carry32 c = {zero32(), zero32(),
                 all_lanes_f32(state ? state->blocked.before : before->blocked.before)};
    for (uint64_t k = 0; k < w->length; k += LINE_TILE) {
        const unsigned count = tile_count32(w, k);
        tile32 copy;
        c.tiles =
            all_lanes_f32(state ? state->blocked.tiles : before->blocked.tiles[k / LINE_TILE]);
        c.blocks = zero32();
        tile_runs32(kind, tile_of32(kind, w, k, count, &copy), ahead, k, &c);
        tile_done32(kind, w, k, count, &copy);
        if (state && count == LINE_TILE)
            state->blocked.tiles = push_total(kind, state->blocked.levels, 0, first_lane(c.blocks));
    }
    if (state)
        state->blocked.before = first_lane(last32(c.before));
}

KERNEL_INLINE void integers_advance(element_kind kind, uint64_t length, cumsum_segment_sums *sums,
                                    cumsum_carry *state) {
    const uint64_t total = sums->integer;
    (void)kind;
    (void)length;
    sums->integer = state->integer;
    state->integer += total;
}

#endif
