/* SPDX-License-Identifier: MIT */
/*
 * Moves the state of a line over elements, one by one or a block at a time: docs/numerics.md with a
 * state that can be put away between any two elements.
 */
#include "line_state.h"

#include "compiler.h"

#include <string.h>

enum {
    BLOCK = 16,
    TILE = (int)CUMSUM_TILE
};

#define STATE_INLINE CUMSUM_ALWAYS_INLINE

cumsum_state_kind cumsum_state_kind_of(const cumsum_arithmetic *arithmetic) {
    if (arithmetic->type != CUMSUM_DATA_TYPE_FLOAT32 &&
        arithmetic->type != CUMSUM_DATA_TYPE_FLOAT16)
        return CUMSUM_STATE_INTEGER;
    switch (arithmetic->numerics.order) {
    case CUMSUM_ORDER_BLOCKED:
        return CUMSUM_STATE_BLOCKED;
    case CUMSUM_ORDER_EXACT:
        return CUMSUM_STATE_EXACT;
    default:
        return CUMSUM_STATE_SEQUENTIAL;
    }
}

STATE_INLINE const unsigned char *element_at(const cumsum_panel *line, uint64_t k) {
    return line->input + (int64_t)k * line->input_step;
}

STATE_INLINE unsigned char *output_at(const cumsum_panel *line, uint64_t k) {
    return line->output + (int64_t)k * line->output_step;
}

STATE_INLINE void move_integers(const cumsum_panel *line, bool wide, bool writes, bool exclusive,
                                uint64_t *sum) {
    for (uint64_t k = 0; k < line->length; k++) {
        uint32_t low = 0;
        uint64_t element = 0;
        if (wide)
            memcpy(&element, element_at(line, k), sizeof element);
        else
            memcpy(&low, element_at(line, k), sizeof low);
        const uint64_t before = *sum, after = before + element + low;
        const uint64_t output = exclusive ? before : after;
        const uint32_t low_output = (uint32_t)output;
        *sum = after;
        if (writes && wide)
            memcpy(output_at(line, k), &output, sizeof output);
        else if (writes)
            memcpy(output_at(line, k), &low_output, sizeof low_output);
    }
}

void cumsum_move_integer(const cumsum_panel *line, const cumsum_arithmetic *arithmetic, bool writes,
                         uint64_t *sum) {
    const bool wide = cumsum_data_type_size(arithmetic->type) == 8;
    move_integers(line, wide, writes, arithmetic->exclusive, sum);
    if (!wide)
        *sum = (uint32_t)*sum;
}

/* What the additions of floats depend on. Constants, or known to be the same for a whole line. */
typedef struct float_rules {
    bool half;    /* binary16 in memory */
    bool narrow;  /* each sum is rounded to binary16 */
    bool flushes; /* binary32 subnormals become zeros */
    bool exclusive;
    cumsum_half_store store;
} float_rules;

static float_rules rules_of(const cumsum_arithmetic *arithmetic) {
    const cumsum_numerics *numerics = &arithmetic->numerics;
    const bool half = arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16;
    const bool narrow = half && numerics->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    return (float_rules){.half = half,
                         .narrow = narrow,
                         .flushes = !half && numerics->denormals == CUMSUM_DENORMALS_FLUSH,
                         .exclusive = arithmetic->exclusive,
                         .store = narrow ? CUMSUM_HALF_STORE_IEEE : numerics->half_store};
}

/* By the bits, since a comparison would depend on the processor's mode. */
STATE_INLINE float without_subnormal(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = bits & 0x7F800000u ? bits : bits & 0x80000000u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

STATE_INLINE float load_element(const float_rules r, const unsigned char *address) {
    float value;
    if (r.half) {
        uint16_t half;
        memcpy(&half, address, sizeof half);
        return cumsum_half_to_float(half);
    }
    memcpy(&value, address, sizeof value);
    return r.flushes ? without_subnormal(value) : value;
}

STATE_INLINE void store_sum(const float_rules r, unsigned char *address, float value) {
    if (r.half) {
        const uint16_t half = cumsum_half_from_float(value, r.store);
        memcpy(address, &half, sizeof half);
    } else {
        memcpy(address, &value, sizeof value);
    }
}

/* fl(a + b). Rounding to binary32 first does no harm to binary16 (kernels/elements.h). */
STATE_INLINE float sum_of(const float_rules r, float a, float b) {
    const float sum = a + b;
    if (r.narrow)
        return cumsum_half_to_float(cumsum_half_from_float(sum, CUMSUM_HALF_STORE_IEEE));
    return r.flushes ? without_subnormal(sum) : sum;
}

STATE_INLINE void move_sequential(const cumsum_panel *line, const float_rules r, bool writes,
                                  float *accumulator) {
    for (uint64_t k = 0; k < line->length; k++) {
        const float before = *accumulator;
        *accumulator = sum_of(r, before, load_element(r, element_at(line, k)));
        if (writes)
            store_sum(r, output_at(line, k), r.exclusive ? before : *accumulator);
    }
}

/* The rules of most FLOAT32, as constants. */
static bool are_plain(const float_rules r) {
    return !r.half && !r.flushes;
}

void cumsum_move_sequential(const cumsum_panel *line, const cumsum_arithmetic *arithmetic,
                            bool writes, float *accumulator) {
    const float_rules r = rules_of(arithmetic);
    if (are_plain(r) && !r.exclusive)
        move_sequential(line, (float_rules){.half = false}, writes, accumulator);
    else
        move_sequential(line, r, writes, accumulator);
}

/*
 * Gives an open block its element i: v becomes v_b[i]. In stage s of Sklansky's network an element
 * with bit s receives the last element of the lower half, which is earlier; `halves` keeps it until
 * no other element of the block needs it.
 */
STATE_INLINE float enter_block(const float_rules r, float halves[4], unsigned i, float v) {
    for (unsigned stage = 0; stage < 4; stage++) {
        const unsigned bit = 1u << stage;
        if (i & bit)
            v = sum_of(r, v, halves[stage]);
        else if ((i & (bit - 1)) == bit - 1)
            halves[stage] = v;
    }
    return v;
}

/* Gives the levels the total of a tile. Returns C[t] of the tile behind it. A level whose own tile
 * is full gives its total to the level above. */
static float enter_levels(const float_rules r, cumsum_level *levels, uint64_t number, float total) {
    float prefix = 0, v = total;
    for (unsigned depth = 0; depth < CUMSUM_BLOCKED_LEVELS; depth++) {
        cumsum_level *here = &levels[depth];
        const float base = sum_of(r, here->tiles_before, here->carry);
        v = enter_block(r, here->halves, (unsigned)(number % BLOCK), v);
        const float sum = sum_of(r, base, v);
        if (depth == 0)
            prefix = sum;
        else /* `sum` is the prefix of the tiles of the level below */
            levels[depth - 1].tiles_before = sum;
        if (number % BLOCK == BLOCK - 1)
            here->carry = sum_of(r, here->carry, v);
        if (number % TILE != TILE - 1 || depth + 1 == CUMSUM_BLOCKED_LEVELS)
            break;
        v = here->carry;
        here->carry = 0;
        number /= TILE;
    }
    return prefix;
}

void cumsum_move_over_tile(const cumsum_arithmetic *arithmetic, uint64_t number, float total,
                           cumsum_blocked_state *state) {
    state->tile.tiles_before = enter_levels(rules_of(arithmetic), state->levels, number, total);
}

float cumsum_blocked_output(const cumsum_arithmetic *arithmetic, float tiles_before,
                            const float last[2]) {
    const float_rules r = rules_of(arithmetic);
    return sum_of(r, sum_of(r, tiles_before, last[0]), last[1]);
}

/* A line on its way through the tiles. */
typedef struct blocked_walk {
    cumsum_blocked_state *state;
    uint64_t position; /* of the next element */
    float *totals;
    uint64_t tiles; /* that ended */
} blocked_walk;

/* The tile is full: its total goes to the levels or to the list of totals. */
STATE_INLINE void end_tile(const float_rules r, blocked_walk *walk) {
    cumsum_blocked_state *s = walk->state;
    if (walk->totals)
        walk->totals[walk->tiles] = s->tile.carry;
    else
        s->tile.tiles_before = enter_levels(r, s->levels, walk->position / TILE - 1, s->tile.carry);
    s->tile.carry = 0;
    walk->tiles++;
}

/* Behind an element whose number in its block is i and whose v_b[i] is v; gives its output. */
STATE_INLINE float leave_element(const float_rules r, blocked_walk *walk, unsigned i, float v) {
    cumsum_blocked_state *s = walk->state;
    const float output = sum_of(r, sum_of(r, s->tile.tiles_before, s->tile.carry), v);
    s->last[0] = s->tile.carry;
    s->last[1] = v;
    s->before = output;
    walk->position++;
    if (i == BLOCK - 1)
        s->tile.carry = sum_of(r, s->tile.carry, v);
    if (walk->position % TILE == 0)
        end_tile(r, walk);
    return output;
}

/* One stage of the network on a block. */
STATE_INLINE void network_stage(const float_rules r, float v[BLOCK], unsigned s) {
    CUMSUM_UNROLL
    for (unsigned i = 0; i < BLOCK; i++)
        if (i & s)
            v[i] = sum_of(r, v[i], v[(i | (s - 1)) ^ s]);
}

/* A whole block at position k of the line; all of it is read before any is written. */
STATE_INLINE void move_block(const cumsum_panel *line, const float_rules r, bool writes, uint64_t k,
                             blocked_walk *walk) {
    cumsum_blocked_state *s = walk->state;
    const float base = sum_of(r, s->tile.tiles_before, s->tile.carry), before = s->before;
    float v[BLOCK], sums[1 + BLOCK];
    for (unsigned i = 0; i < BLOCK; i++)
        v[i] = load_element(r, element_at(line, k + i));
    network_stage(r, v, 1);
    network_stage(r, v, 2);
    network_stage(r, v, 4);
    network_stage(r, v, 8);
    sums[0] = before;
    for (unsigned i = 0; i < BLOCK; i++)
        sums[1 + i] = sum_of(r, base, v[i]);
    for (unsigned i = 0; writes && i < BLOCK; i++)
        store_sum(r, output_at(line, k + i), sums[r.exclusive ? i : 1 + i]);
    s->last[0] = s->tile.carry;
    s->last[1] = v[BLOCK - 1];
    s->before = sums[BLOCK];
    s->tile.carry = sum_of(r, s->tile.carry, v[BLOCK - 1]);
    walk->position += BLOCK;
    if (walk->position % TILE == 0)
        end_tile(r, walk);
}

/* An element at position k, in the middle of a block. */
STATE_INLINE void move_element(const cumsum_panel *line, const float_rules r, bool writes,
                               uint64_t k, blocked_walk *walk) {
    const unsigned i = (unsigned)(walk->position % BLOCK);
    const float before = walk->state->before;
    const float element = load_element(r, element_at(line, k));
    const float v = enter_block(r, walk->state->tile.halves, i, element);
    const float output = leave_element(r, walk, i, v);
    if (writes)
        store_sum(r, output_at(line, k), r.exclusive ? before : output);
}

STATE_INLINE void move_blocked(const cumsum_panel *line, const float_rules r, bool writes,
                               blocked_walk *walk) {
    for (uint64_t k = 0; k < line->length;) {
        const bool whole = walk->position % BLOCK == 0 && line->length - k >= BLOCK;
        if (whole)
            move_block(line, r, writes, k, walk);
        else
            move_element(line, r, writes, k, walk);
        k += whole ? BLOCK : 1;
    }
}

uint64_t cumsum_move_blocked(const cumsum_panel *line, const cumsum_arithmetic *arithmetic,
                             bool writes, uint64_t position, cumsum_blocked_state *state,
                             float *totals) {
    const float_rules r = rules_of(arithmetic);
    blocked_walk walk = {.state = state, .position = position, .totals = totals};
    if (are_plain(r))
        move_blocked(line, (float_rules){.exclusive = r.exclusive}, writes, &walk);
    else
        move_blocked(line, r, writes, &walk);
    return walk.tiles;
}
