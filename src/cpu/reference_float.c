/* SPDX-License-Identifier: MIT */
/*
 * FLOAT32 and FLOAT16 in the reference, in the sequential and the blocked order. First come
 * loading, adding and storing, which both orders share; then each order, as docs/numerics.md
 * defines it. The names S, c[b], C[t] and v_b[i] are those of that document.
 *
 * Invariant: an accumulator is always a float. With FLOAT16 accumulators its value is always one of
 * binary16.
 */
#include "reference.h"

#include <float.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "float arithmetic must round to float: on x86 of 32 bits, compile with -msse2 -mfpmath=sse"
#endif

/* A subnormal becomes a zero of its sign. On the bits, since a comparison of floats would depend on
 * the processor's flush mode. */
REFERENCE_INLINE float flush(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7F800000u) == 0)
        bits &= 0x80000000u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

REFERENCE_INLINE bool is_half(cumsum_arithmetic rules) {
    return rules.type == CUMSUM_DATA_TYPE_FLOAT16;
}

/* The option `denormals` applies to FLOAT32 alone: binary16 subnormals are always kept. */
REFERENCE_INLINE bool flushes(cumsum_arithmetic rules) {
    return !is_half(rules) && rules.numerics.denormals == CUMSUM_DENORMALS_FLUSH;
}

REFERENCE_INLINE bool adds_halves(cumsum_arithmetic rules) {
    return is_half(rules) && rules.numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
}

/* The element at an address. */
REFERENCE_INLINE float load(const unsigned char *address, cumsum_arithmetic rules) {
    if (is_half(rules)) {
        uint16_t half;
        memcpy(&half, address, sizeof half);
        return cumsum_half_to_float(half);
    }
    float value;
    memcpy(&value, address, sizeof value);
    return flushes(rules) ? flush(value) : value;
}

/*
 * fl(a + b) in the accumulator's format.
 *
 * A binary16 sum is the binary32 sum rounded once more. The second rounding does no harm: binary32
 * has 24 significant bits, and 2p + 2 = 24 for the p = 11 of binary16. With that many, the exact
 * sum of two p-bit numbers is either a binary32 number or so far from every midpoint of binary16
 * that rounding to 24 bits first cannot move it onto or across one (S. Figueroa, "When is double
 * rounding innocuous?", 1995). The same holds if the result is a binary16 subnormal: then the sum
 * is a small multiple of 2^-24 and exact.
 */
REFERENCE_INLINE float add(float a, float b, cumsum_arithmetic rules) {
    const float sum = a + b;
    if (adds_halves(rules))
        return cumsum_half_to_float(cumsum_half_from_float(sum, CUMSUM_HALF_STORE_IEEE));
    return flushes(rules) ? flush(sum) : sum;
}

/* Stores an accumulator as an output. The rounding of the store is never read back into it. */
REFERENCE_INLINE void store(unsigned char *address, float accumulator, cumsum_arithmetic rules) {
    if (is_half(rules)) {
        /* IEEE's conversion of a binary16 accumulator is exact, so it is stored unchanged. */
        const cumsum_half_store store =
            adds_halves(rules) ? CUMSUM_HALF_STORE_IEEE : rules.numerics.half_store;
        const uint16_t half = cumsum_half_from_float(accumulator, store);
        memcpy(address, &half, sizeof half);
    } else {
        memcpy(address, &accumulator, sizeof accumulator);
    }
}

/*
 * The sequential order: S(0) = +0, S(k+1) = fl(S(k) + x[k]). Output k is S(k+1), or S(k) for an
 * exclusive scan.
 */

REFERENCE_INLINE void sequential_lines(const cumsum_panel *panel, uint64_t lines,
                                       cumsum_arithmetic rules) {
    const cumsum_panel here = *panel; /* a copy, which no output can alias */
    float accumulator[REFERENCE_LINES] = {0.0f};
    for (uint64_t k = 0; k < here.length; k++)
        for (uint64_t i = 0; i < lines; i++) {
            const float element = load(reference_input(&here, i, k), rules);
            const float before = accumulator[i];
            accumulator[i] = add(before, element, rules);
            store(reference_output(&here, i, k), rules.exclusive ? before : accumulator[i], rules);
        }
}

void cumsum_reference_sequential_lines(const cumsum_panel *panel,
                                       const cumsum_arithmetic *arithmetic) {
    if (panel->lines == 1) /* a constant, which lets the accumulator stay in a register */
        sequential_lines(panel, 1, *arithmetic);
    else
        sequential_lines(panel, panel->lines, *arithmetic);
}

/*
 * The blocked order. A line is cut into blocks of 16 elements, and 64 blocks make a tile of 1024.
 * The totals of the tiles are a line of their own, one level up, scanned in the same order, and so
 * on.
 *
 * Invariant: a level needs no more memory than the block that it is in the middle of. Four levels
 * are enough: the fourth takes one value per 1024^3 elements, and no line is longer than 2^32.
 */

enum {
    BLOCK = 16,
    BLOCKS_PER_TILE = 64,
    LEVELS = 4
};

typedef struct level {
    float block[BLOCK]; /* the elements of the current block so far, then +0 */
    unsigned elements;  /* in `block` */
    unsigned blocks;    /* finished blocks of the current tile: b */
    float carry;        /* c[b]: the sum of those blocks */
    float tiles_before; /* C[t]: the sum of the tiles before this one, from the level above */
} level;

/* One round of Sklansky's prefix network (J. Sklansky, "Conditional-sum addition logic", 1960): the
 * upper half of each 2s elements gets the last sum of the lower half added. */
REFERENCE_INLINE void scan_round(float v[BLOCK], unsigned s, cumsum_arithmetic rules) {
    for (unsigned i = 0; i < BLOCK; i++)
        if (i & s)
            v[i] = add(v[i], v[(i | (s - 1)) ^ s], rules);
}

/* v[i] becomes the sum of v[0..i], for all i, in four rounds. */
REFERENCE_INLINE void scan_block(float v[BLOCK], cumsum_arithmetic rules) {
    scan_round(v, 1, rules);
    scan_round(v, 2, rules);
    scan_round(v, 4, rules);
    scan_round(v, 8, rules);
}

static float sum_after(level *levels, unsigned depth, float element, cumsum_arithmetic rules);

/* Adds the total of a block: c[b+1] = fl(c[b] + total). After the last block of a tile the carry is
 * the tile's total, which is an element of the level above, and a new tile begins. */
REFERENCE_INLINE void finish_block(level *levels, unsigned depth, float total,
                                   cumsum_arithmetic rules) {
    level *here = &levels[depth];
    here->carry = add(here->carry, total, rules);
    if (++here->blocks < BLOCKS_PER_TILE)
        return;
    here->tiles_before = sum_after(levels, depth + 1, here->carry, rules);
    here->carry = 0.0f;
    here->blocks = 0;
}

/* fl(C[t] + c[b]), the first half of S(i+1) = fl(fl(C[t] + c[b]) + v_b[i]). */
REFERENCE_INLINE float block_base(const level *here, cumsum_arithmetic rules) {
    return add(here->tiles_before, here->carry, rules);
}

/* Gives a level its next element. Returns its running sum, which includes that element. */
static float sum_after(level *levels, unsigned depth, float element, cumsum_arithmetic rules) {
    level *here = &levels[depth];
    const unsigned i = here->elements++;
    here->block[i] = element;
    float v[BLOCK];
    memcpy(v, here->block, sizeof v);
    scan_block(v, rules);
    const float sum = add(block_base(here, rules), v[i], rules);
    if (here->elements == BLOCK) {
        memset(here->block, 0, sizeof here->block);
        here->elements = 0;
        finish_block(levels, depth, v[BLOCK - 1], rules);
    }
    return sum;
}

/* The state of all lines of a call: 25 KiB on the stack. */
typedef struct lines_state {
    float v[REFERENCE_BLOCKED_LINES][BLOCK]; /* the elements of its block, then their sums */
    float base[REFERENCE_BLOCKED_LINES];     /* block_base of that block */
    float accumulator[REFERENCE_BLOCKED_LINES];
    level levels[REFERENCE_BLOCKED_LINES][LEVELS];
} lines_state;

/* Loads 16 elements of each line from element `first` on; past the end of the line, +0. */
REFERENCE_INLINE void load_blocks(lines_state *state, const cumsum_panel *panel, uint64_t first,
                                  cumsum_arithmetic rules) {
    for (unsigned k = 0; k < BLOCK; k++)
        for (uint64_t i = 0; i < panel->lines; i++)
            state->v[i][k] = k < panel->length - first
                                 ? load(reference_input(panel, i, first + k), rules)
                                 : 0.0f;
}

/* Scans the block of each line, and moves the line's levels on. */
REFERENCE_INLINE void scan_blocks(lines_state *state, uint64_t lines, cumsum_arithmetic rules) {
    for (uint64_t i = 0; i < lines; i++) {
        scan_block(state->v[i], rules);
        state->base[i] = block_base(&state->levels[i][0], rules);
        finish_block(state->levels[i], 0, state->v[i][BLOCK - 1], rules);
    }
}

/* Stores the outputs of the blocks: S(i+1) = fl(base + v[i]). */
REFERENCE_INLINE void store_blocks(lines_state *state, const cumsum_panel *panel, uint64_t first,
                                   cumsum_arithmetic rules) {
    for (unsigned k = 0; k < BLOCK && k < panel->length - first; k++)
        for (uint64_t i = 0; i < panel->lines; i++) {
            const float before = state->accumulator[i];
            state->accumulator[i] = add(state->base[i], state->v[i][k], rules);
            store(reference_output(panel, i, first + k),
                  rules.exclusive ? before : state->accumulator[i], rules);
        }
}

/* On the lines themselves, the lowest level, a block is loaded and scanned once for all its
 * elements. That also works in place, since a block is read before any of it is written. */
REFERENCE_INLINE void blocked_lines(const cumsum_panel *panel, cumsum_arithmetic rules) {
    const cumsum_panel here = *panel; /* a copy, which no output can alias */
    lines_state state;
    memset(state.accumulator, 0,
           (size_t)here.lines * sizeof *state.accumulator); /* every +0 is all bits zero */
    memset(state.levels, 0, (size_t)here.lines * sizeof *state.levels);
    for (uint64_t first = 0; first < here.length; first += BLOCK) {
        load_blocks(&state, &here, first, rules);
        scan_blocks(&state, here.lines, rules);
        store_blocks(&state, &here, first, rules);
    }
}

void cumsum_reference_blocked_lines(const cumsum_panel *panel,
                                    const cumsum_arithmetic *arithmetic) {
    const bool plain = arithmetic->type == CUMSUM_DATA_TYPE_FLOAT32 &&
                       arithmetic->numerics.denormals == CUMSUM_DENORMALS_PRESERVE;
    if (plain) /* the same with constants, which reduce an addition to one instruction */
        blocked_lines(panel, (cumsum_arithmetic){.type = CUMSUM_DATA_TYPE_FLOAT32,
                                                 .exclusive = arithmetic->exclusive});
    else
        blocked_lines(panel, *arithmetic);
}
