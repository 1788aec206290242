/* SPDX-License-Identifier: MIT */
/*
 * The exact order by integers: each output is the exact sum of the elements so far, rounded once.
 * The kernels (kernels/exact_scan.h) come here with tiles that their binary64 cannot hold.
 *
 * The sum is a long accumulator (wide_sum.h; Kulisch). Adding to all of it for every element would
 * be slow, so each tile of 1024 elements is tried with a window: 128 bits of the accumulator,
 * placed to hold the sum so far and every element of the tile. In a window an addition is one
 * 128-bit integer addition, and an output is the window's number, rounded. Tiles whose elements
 * differ too much in magnitude, and tiles with NaN or infinities, are added to the whole
 * accumulator, element by element.
 *
 * Invariant: both ways give the exact sum, so the choice does not show in the bits. The reference
 * computes the same with other code (exact_sum.c).
 */
#include "exact_line.h"

#include "kernels/kernel_macros.h"

#include <stddef.h>
#include <string.h>

/* FLOAT32 or FLOAT16. Numbers are handled as their bits. */
typedef struct format {
    unsigned size;          /* bytes */
    unsigned fraction_bits; /* 23 or 10 */
    uint32_t sign;
    uint32_t infinity;
    bool flush; /* replaces subnormal inputs and outputs by zeros of their sign */
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

/* A finite number is significand_of * 2^place_of smallest steps. Subnormals and the first normals
 * have place 0. */
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
 * Rounds a window to the format: to nearest, ties to even.
 *
 * `highest` counts the bits of the sum, in smallest steps; at most `significant` of them are kept.
 * The kept bits are added to the exponent field. If the significand is full, its leading 1 falls on
 * the lowest bit of the exponent and makes it 1; each place that the number is higher adds another
 * 1. A subnormal's kept bits stay below the exponent and are its encoding as they are. A carry out
 * of the rounding moves the exponent on, up to infinity.
 *
 * `rest` holds the bits that are not kept, the first one at the top and the last one sticky. More
 * than half rounds up, and so does exactly half if the kept number is odd: then half - 1 is
 * compared with.
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

/* The same of a whole accumulator, in which NaN or infinities may have been noted. */
KERNEL_INLINE uint32_t round_sum(const format f, const cumsum_wide_sum *sum) {
    if (sum->nan || (sum->positive_infinity && sum->negative_infinity))
        return f.infinity | 1u << (f.fraction_bits - 1);
    if (sum->positive_infinity || sum->negative_infinity)
        return f.infinity | (sum->negative_infinity ? f.sign : 0);
    return round_window(f, cumsum_wide_sum_top(sum));
}

/* Adds one element, of any value, to the whole accumulator. */
KERNEL_INLINE void add_one(const format f, cumsum_wide_sum *sum, uint32_t bits) {
    cumsum_wide_sum one = {.nan = (bits & ~f.sign) > f.infinity,
                           .positive_infinity = bits == f.infinity,
                           .negative_infinity = bits == (f.infinity | f.sign)};
    if ((bits & f.infinity) != f.infinity)
        cumsum_wide_sum_set(&one, (cumsum_window){cumsum_int128_shifted(significand_of(f, bits), 0),
                                                  place_of(f, bits)});
    cumsum_wide_sum_add(sum, &one);
}

/* The input of a tile: up to CUMSUM_TILE elements in traversal order. */
typedef struct tile {
    const unsigned char *input;
    int64_t step;
    unsigned count;
} tile;

KERNEL_INLINE uint32_t tile_bits(const format f, const tile *t, unsigned k) {
    return load_bits(f, t->input + (int64_t)k * t->step);
}

/*
 * Finds the position of a window for the sum and every element of a tile; false if none is wide
 * enough. It begins at the lowest 1 of all these numbers. If they all are below 2^highest in
 * magnitude, every sum on the way is below 2^highest * (1 + 2^10): 11 bits above `highest` are
 * enough, and one for the sign.
 */
KERNEL_INLINE bool find_window(const format f, const tile *t, const cumsum_wide_sum *sum,
                               unsigned *position) {
    unsigned lowest = cumsum_wide_sum_lowest(sum), highest = cumsum_wide_sum_bits(sum);
    uint32_t least = f.infinity, most = 0; /* exponent fields, not shifted */
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

/* A zero has place 0, which may lie below the window, so it is left out. */
KERNEL_INLINE void add_in_window(const format f, cumsum_window *window, uint32_t bits) {
    const int64_t significand = significand_of(f, bits);
    if (significand)
        window->value = cumsum_int128_add(
            window->value,
            cumsum_int128_shifted(significand, place_of(f, bits) - window->position));
}

/* The outputs of a tile. In place they are its inputs: each element is read before it is written.
 */
typedef struct destination {
    bool writes; /* otherwise there are none */
    unsigned char *output;
    int64_t step;
    bool exclusive;
} destination;

/* Moves a window over the elements of a tile. */
KERNEL_INLINE void scan_in_window(const format f, const tile *t, const destination to,
                                  cumsum_window *window) {
    uint32_t rounded = to.writes ? round_window(f, *window) : 0;
    for (unsigned k = 0; k < t->count; k++) {
        const uint32_t before = rounded;
        add_in_window(f, window, tile_bits(f, t, k));
        if (!to.writes)
            continue;
        rounded = round_window(f, *window);
        store_bits(f, to.output + (int64_t)k * to.step, to.exclusive ? before : rounded);
    }
}

/* The same with the whole accumulator. */
KERNEL_INLINE void scan_in_full(const format f, const tile *t, const destination to,
                                cumsum_wide_sum *sum) {
    uint32_t rounded = to.writes ? round_sum(f, sum) : 0;
    for (unsigned k = 0; k < t->count; k++) {
        const uint32_t before = rounded;
        add_one(f, sum, tile_bits(f, t, k));
        if (!to.writes)
            continue;
        rounded = round_sum(f, sum);
        store_bits(f, to.output + (int64_t)k * to.step, to.exclusive ? before : rounded);
    }
}

KERNEL_INLINE void scan_tile(const format f, const tile *t, const destination to,
                             cumsum_wide_sum *sum) {
    cumsum_window window;
    if (find_window(f, t, sum, &window.position)) {
        window.value = cumsum_wide_sum_window(sum, window.position);
        scan_in_window(f, t, to, &window);
        cumsum_wide_sum_set(sum, window);
    } else {
        scan_in_full(f, t, to, sum);
    }
}

KERNEL_INLINE void scan_piece(const format f, const cumsum_panel *piece, bool writes,
                              bool exclusive, cumsum_wide_sum *sum) {
    for (uint64_t k = 0; k < piece->length; k += CUMSUM_TILE) {
        const tile t = {.input = piece->input + (int64_t)k * piece->input_step,
                        .step = piece->input_step,
                        .count = (unsigned)cumsum_least(piece->length - k, CUMSUM_TILE)};
        const destination to = {writes, piece->output + (int64_t)k * piece->output_step,
                                piece->output_step, exclusive};
        scan_tile(f, &t, to, sum);
    }
}

/* Each format is a constant in code of its own, and so is whether there are outputs. */

void cumsum_exact_write(const cumsum_panel *piece, const cumsum_arithmetic *arithmetic,
                        cumsum_wide_sum *sum) {
    if (arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16)
        scan_piece(binary16, piece, true, arithmetic->exclusive, sum);
    else
        scan_piece(binary32(arithmetic), piece, true, arithmetic->exclusive, sum);
}

void cumsum_exact_reduce(const cumsum_panel *piece, const cumsum_arithmetic *arithmetic,
                         cumsum_wide_sum *sum) {
    if (arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16)
        scan_piece(binary16, piece, false, false, sum);
    else
        scan_piece(binary32(arithmetic), piece, false, false, sum);
}

/* The smallest step is 2^-24 for FLOAT16, 2^-149 for FLOAT32. */
static int smallest_step(bool half) {
    return half ? -24 : -149;
}

/* The bits of the sum, from its lowest 1 on, in two integers of 50 bits: each is a binary64. */
bool cumsum_exact_pair(bool half, const cumsum_wide_sum *sum, double *high, double *low) {
    const unsigned bits = cumsum_wide_sum_bits(sum), lowest = cumsum_wide_sum_lowest(sum);
    if (sum->nan || sum->positive_infinity || sum->negative_infinity ||
        (lowest < bits && bits - lowest > 100))
        return false;
    *high = *low = 0;
    if (lowest >= bits) /* the sum is 0 */
        return true;
    const cumsum_int128 value = cumsum_wide_sum_window(sum, lowest);
    const uint64_t below = value.low & ((UINT64_C(1) << 50) - 1);
    const uint64_t above = value.high << 14 | value.low >> 50;
    const double unit = cumsum_power_of_two((int)lowest + smallest_step(half));
    const double a = (double)(int64_t)above * (unit * 0x1p50), b = (double)below * unit;
    *high = a + b;
    *low = b - (*high - a); /* exact: |a| >= b, or a is 0 (Dekker) */
    return true;
}

/* Adds a number to the sum. */
static void add_double(bool half, double value, cumsum_wide_sum *sum) {
    const uint64_t bits = cumsum_double_bits(value);
    const int exponent = (int)(bits >> 52 & 2047);
    int64_t significand = (int64_t)((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52);
    int place = exponent - 1075 - smallest_step(half);
    if (value == 0)
        return;
    if (place < 0) { /* these bits are 0 */
        significand >>= -place;
        place = 0;
    }
    cumsum_wide_sum one = {.nan = false};
    const int64_t term = value < 0 ? -significand : significand;
    cumsum_wide_sum_set(&one, (cumsum_window){cumsum_int128_shifted(term, 0), (unsigned)place});
    cumsum_wide_sum_add(sum, &one);
}

void cumsum_exact_from_pair(bool half, double high, double low, cumsum_wide_sum *sum) {
    *sum = (cumsum_wide_sum){.nan = false};
    add_double(half, high, sum);
    add_double(half, low, sum);
}
