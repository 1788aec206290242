/* SPDX-License-Identifier: MIT */
/*
 * The exact order. Tile by tile, a window of 128 bits is put where it holds the sum so far and
 * every element; then each addition is one of integers, and each output is the window's number,
 * rounded. Where no window is wide enough, a tile is added up in full.
 */
#include "kernel_table.h"

#include "kernels/kernel_inline.h"

#include <stddef.h>
#include <string.h>

/* FLOAT32 or FLOAT16, as bits. */
typedef struct format {
    unsigned size;          /* bytes */
    unsigned fraction_bits; /* 23 or 10 */
    uint32_t sign;
    uint32_t infinity;
    bool flush; /* subnormals become zeros of their sign */
} format;

static const format binary16 = {.size = 2, .fraction_bits = 10, .sign = 0x8000, .infinity = 0x7C00};

KERNEL_INLINE format binary32(const cumsum_arithmetic *arithmetic) {
    const format f = {.size = 4,
                      .fraction_bits = 23,
                      .sign = 0x80000000u,
                      .infinity = 0x7F800000u,
                      .flush = arithmetic->numerics.denormals == CUMSUM_DENORMALS_FLUSH};
    return f;
}

KERNEL_INLINE uint32_t flushed(const format f, uint32_t bits) {
    return f.flush && !(bits & f.infinity) ? bits & f.sign : bits;
}

KERNEL_INLINE uint32_t load_bits(const format f, const unsigned char *address) {
    uint32_t bits = 0;
    if (f.size == 2) {
        uint16_t half;
        memcpy(&half, address, sizeof half);
        bits = half;
    } else {
        memcpy(&bits, address, sizeof bits);
    }
    return flushed(f, bits);
}

KERNEL_INLINE void store_bits(const format f, unsigned char *address, uint32_t bits) {
    const uint16_t half = (uint16_t)bits;
    if (f.size == 2)
        memcpy(address, &half, sizeof half);
    else
        memcpy(address, &bits, sizeof bits);
}

/* An element is significand * 2^place steps. Subnormals and the first normals have place 0. */
KERNEL_INLINE unsigned place_of(const format f, uint32_t bits) {
    const unsigned exponent = (bits & f.infinity) >> f.fraction_bits;
    return exponent ? exponent - 1 : 0;
}

KERNEL_INLINE int64_t significand_of(const format f, uint32_t bits) {
    const uint32_t one = 1u << f.fraction_bits;
    const int64_t magnitude = (bits & (one - 1)) | ((bits & f.infinity) ? one : 0);
    return bits & f.sign ? -magnitude : magnitude;
}

/*
 * Rounds to nearest even. The bits that are kept are their own encoding as long as they are no more
 * than a subnormal has: the leading one of a full significand, in its place, is the exponent 1, and
 * each place that it stands higher is a step of the exponent. A carry out of the rounding moves
 * that on too.
 */
KERNEL_INLINE uint32_t round_window(const format f, const cumsum_window window) {
    const cumsum_int128 value = cumsum_int128_magnitude(window.value);
    if (!(value.low | value.high))
        return 0;
    const cumsum_leading_bits leading = cumsum_int128_leading(value);
    const unsigned significant = f.fraction_bits + 1, highest = leading.length + window.position;
    const unsigned kept = highest < significant ? highest : significant;
    const uint64_t rest = leading.bits << kept, half = UINT64_C(1) << 63;
    uint32_t bits = (uint32_t)(leading.bits >> (64 - kept));
    bits += rest > half - (bits & 1);
    bits += (highest - kept) << f.fraction_bits;
    if (bits > f.infinity)
        bits = f.infinity;
    return flushed(f, bits | (cumsum_int128_negative(window.value) ? f.sign : 0));
}

KERNEL_INLINE uint32_t round_sum(const format f, const cumsum_wide_sum *sum) {
    if (sum->nan || (sum->positive_infinity && sum->negative_infinity))
        return f.infinity | 1u << (f.fraction_bits - 1);
    if (sum->positive_infinity || sum->negative_infinity)
        return f.infinity | (sum->negative_infinity ? f.sign : 0);
    return round_window(f, cumsum_wide_sum_top(sum));
}

KERNEL_INLINE void add_one(const format f, cumsum_wide_sum *sum, uint32_t bits) {
    cumsum_wide_sum one = {.nan = (bits & ~f.sign) > f.infinity,
                           .positive_infinity = bits == f.infinity,
                           .negative_infinity = bits == (f.infinity | f.sign)};
    if ((bits & f.infinity) != f.infinity)
        cumsum_wide_sum_set(&one, (cumsum_window){cumsum_int128_shifted(significand_of(f, bits), 0),
                                                  place_of(f, bits)});
    cumsum_wide_sum_add(sum, &one);
}

/* Up to CUMSUM_TILE elements in traversal order. */
typedef struct tile {
    const unsigned char *input;
    int64_t step;
    unsigned count;
} tile;

KERNEL_INLINE uint32_t tile_bits(const format f, const tile *t, unsigned k) {
    return load_bits(f, t->input + (int64_t)k * t->step);
}

/*
 * Where a window has to begin to hold the sum and every element, if there is such a window: all
 * sums on the way stay below 2^highest * (1 + 2^10), in magnitude, so that 11 bits above the
 * highest, and a sign, are enough.
 */
KERNEL_INLINE bool find_window(const format f, const tile *t, const cumsum_wide_sum *sum,
                               unsigned *position) {
    unsigned lowest = cumsum_wide_sum_lowest(sum), highest = cumsum_wide_sum_bits(sum);
    uint32_t least = f.infinity, most = 0; /* exponents, in place */
    for (unsigned k = 0; k < t->count; k++) {
        const uint32_t bits = tile_bits(f, t, k) & ~f.sign, exponent = bits & f.infinity;
        least = bits && exponent < least ? exponent : least;
        most = exponent > most ? exponent : most;
    }
    if (most == f.infinity || sum->nan || sum->positive_infinity || sum->negative_infinity)
        return false;
    const unsigned first = place_of(f, least), end = place_of(f, most) + f.fraction_bits + 1;
    lowest = first < lowest ? first : lowest;
    highest = end > highest ? end : highest;
    *position = lowest;
    return highest + 12 <= lowest + 128;
}

KERNEL_INLINE void add_in_window(const format f, cumsum_window *window, uint32_t bits) {
    const int64_t significand = significand_of(f, bits);
    if (significand)
        window->value = cumsum_int128_add(
            window->value,
            cumsum_int128_shifted(significand, place_of(f, bits) - window->position));
}

KERNEL_INLINE void sum_tile(const format f, const tile *t, cumsum_wide_sum *sum) {
    cumsum_window window;
    if (find_window(f, t, sum, &window.position)) {
        window.value = cumsum_wide_sum_window(sum, window.position);
        for (unsigned k = 0; k < t->count; k++)
            add_in_window(f, &window, tile_bits(f, t, k));
        cumsum_wide_sum_set(sum, window);
    } else {
        for (unsigned k = 0; k < t->count; k++)
            add_one(f, sum, tile_bits(f, t, k));
    }
}

/* Where the outputs of a tile go. */
typedef struct destination {
    unsigned char *output;
    int64_t step;
    bool exclusive;
} destination;

KERNEL_INLINE void write_in_window(const format f, const tile *t, const destination to,
                                   cumsum_window *window) {
    uint32_t tally = round_window(f, *window);
    for (unsigned k = 0; k < t->count; k++) {
        const uint32_t before = tally;
        add_in_window(f, window, tile_bits(f, t, k));
        tally = round_window(f, *window);
        store_bits(f, to.output + (int64_t)k * to.step, to.exclusive ? before : tally);
    }
}

KERNEL_INLINE void write_in_full(const format f, const tile *t, const destination to,
                                 cumsum_wide_sum *sum) {
    uint32_t tally = round_sum(f, sum);
    for (unsigned k = 0; k < t->count; k++) {
        const uint32_t before = tally;
        add_one(f, sum, tile_bits(f, t, k));
        tally = round_sum(f, sum);
        store_bits(f, to.output + (int64_t)k * to.step, to.exclusive ? before : tally);
    }
}

KERNEL_INLINE void write_tile(const format f, const tile *t, const destination to,
                              cumsum_wide_sum *sum) {
    cumsum_window window;
    if (find_window(f, t, sum, &window.position)) {
        window.value = cumsum_wide_sum_window(sum, window.position);
        write_in_window(f, t, to, &window);
        cumsum_wide_sum_set(sum, window);
    } else {
        write_in_full(f, t, to, sum);
    }
}

KERNEL_INLINE tile tile_at(const cumsum_panel *part, uint64_t k) {
    const uint64_t rest = part->length - k;
    const tile t = {.input = part->input + (int64_t)k * part->input_step,
                    .step = part->input_step,
                    .count = (unsigned)(rest < CUMSUM_TILE ? rest : CUMSUM_TILE)};
    return t;
}

KERNEL_INLINE void total_of(const format f, const cumsum_panel *part, cumsum_wide_sum *sum) {
    *sum = (cumsum_wide_sum){.nan = false};
    for (uint64_t k = 0; k < part->length; k += CUMSUM_TILE) {
        const tile t = tile_at(part, k);
        sum_tile(f, &t, sum);
    }
}

KERNEL_INLINE void write_as(const format f, const cumsum_panel *part, bool exclusive,
                            cumsum_wide_sum *sum) {
    for (uint64_t k = 0; k < part->length; k += CUMSUM_TILE) {
        const tile t = tile_at(part, k);
        const destination to = {part->output + (int64_t)k * part->output_step, part->output_step,
                                exclusive};
        write_tile(f, &t, to, sum);
    }
}

/* Each format is a constant of code of its own. */
static void total(const cumsum_panel *part, const cumsum_arithmetic *arithmetic,
                  cumsum_segment_sums *sums) {
    if (arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16)
        total_of(binary16, part, &sums->exact);
    else
        total_of(binary32(arithmetic), part, &sums->exact);
}

static void write_from(const cumsum_panel *part, const cumsum_arithmetic *arithmetic,
                       cumsum_wide_sum *sum) {
    if (arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16)
        write_as(binary16, part, arithmetic->exclusive, sum);
    else
        write_as(binary32(arithmetic), part, arithmetic->exclusive, sum);
}

static void advance(uint64_t length, const cumsum_arithmetic *arithmetic, cumsum_segment_sums *sums,
                    cumsum_carry *state) {
    const cumsum_wide_sum before = state->exact;
    (void)length;
    (void)arithmetic;
    cumsum_wide_sum_add(&state->exact, &sums->exact);
    sums->exact = before;
}

static void write_part(const cumsum_panel *part, const cumsum_arithmetic *arithmetic,
                       const cumsum_segment_sums *before, cumsum_carry *state,
                       const cumsum_panel *next) {
    (void)next; /* memory is not what this waits for */
    if (state) {
        write_from(part, arithmetic, &state->exact);
    } else {
        cumsum_wide_sum sum = before->exact;
        write_from(part, arithmetic, &sum);
    }
}

static void compute_panel(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {
    cumsum_panel line = *panel;
    for (uint64_t i = 0; i < panel->lines; i++) {
        cumsum_wide_sum sum = {.nan = false};
        write_from(&line, arithmetic, &sum);
        line.input += panel->input_line_step;
        line.output += panel->output_line_step;
    }
}

static const cumsum_segment_functions parts = {total, advance, write_part};

cumsum_panel_function *const cumsum_exact_panel = compute_panel;
const cumsum_segment_functions *const cumsum_exact_segments = &parts;
