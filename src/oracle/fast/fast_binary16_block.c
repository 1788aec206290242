/* SPDX-License-Identifier: MIT */
/*
 * Judges a block of a FLOAT16 line with vectors (fast_binary16_block.h). The file is compiled for
 * several instruction sets, whose name is FAST_ISA. Its loops do the same for every element of
 * small arrays, so that compilers make vectors of them.
 *
 * Invariant: every sum is exact, so that the width of the vectors does not show.
 */
#include "fast_binary16_block.h"

#include <math.h>
#include <string.h>

#include "compiler.h"
#include "fast_binary16_value.h"
#include "fast_rows.h"

CUMSUM_ALWAYS_INLINE uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* FRONT sums at a time. gcc makes no vectors of a short loop inside another. */
#if FAST_VECTORS
typedef double lanes __attribute__((vector_size(8 * FRONT)));

CUMSUM_ALWAYS_INLINE void add_lanes(lanes *sums, const double *values) {
    lanes v;
    memcpy(&v, values, sizeof v);
    *sums += v;
}
#else
typedef struct lanes {
    double of[FRONT];
} lanes;

CUMSUM_ALWAYS_INLINE void add_lanes(lanes *sums, const double *values) {
    for (int j = 0; j < FRONT; j++)
        sums->of[j] += values[j];
}
#endif

/* Prefix sums of the terms, or of their magnitudes. Windows of 2, 4 and 8 elements end at each
 * element; each eighth of the last ones is added up. */
CUMSUM_ALWAYS_INLINE void scan_binary16_block(binary16_block *b, double *sums, double before,
                                              bool magnitudes, int length) {
    const float *x = b->x + FRONT;
    double *pairs = b->pairs + FRONT, *quads = b->quads + FRONT;
    for (int i = 0; i < length; i++)
        pairs[i] = magnitudes ? (double)fabsf(x[i]) + (double)fabsf(x[i - 1])
                              : (double)x[i] + (double)x[i - 1];
    for (int i = 0; i < length; i++)
        quads[i] = pairs[i] + pairs[i - 2];
    for (int j = 0; j < FRONT; j++)
        sums[j] = before;
    lanes running;
    memcpy(&running, sums, sizeof running);
    for (int i = 0; i < length; i += FRONT) {
        add_lanes(&running, quads + i);
        add_lanes(&running, quads + i - 4);
        memcpy(sums + FRONT + i, &running, sizeof running);
    }
}

CUMSUM_ALWAYS_INLINE void scan_magnitudes(binary16_block *b, int length) {
    scan_binary16_block(b, b->magnitude, b->magnitude_before, true, length);
    b->magnitudes_are_exact = true;
}

/* The largest magnitudes of terms and outputs, and how many are zeros, from their bits. */
CUMSUM_ALWAYS_INLINE void look_at_bits(binary16_block *b, int length) {
    uint16_t largest = 0, largest_output = 0, zeros = 0, negative_zeros = 0;
    for (int i = 0; i < length; i++) {
        const uint16_t x = b->x_bits[i] & 0x7FFF, y = b->y_bits[i], magnitude = y & 0x7FFF;
        largest = x > largest ? x : largest;
        largest_output = magnitude > largest_output ? magnitude : largest_output;
        zeros = (uint16_t)(zeros + (x == 0));
        negative_zeros |= y == 0x8000;
    }
    b->largest = largest;
    b->largest_output = largest_output;
    b->zeros = zeros - ((uint64_t)length - b->count);
    b->negative_zeros = negative_zeros;
}

/* The terms that complete the outputs, in the order of the outputs: a zero and all terms but the
 * last one if the scan is exclusive. */
CUMSUM_ALWAYS_INLINE const uint16_t *terms_of_outputs(const binary16_block *b, uint16_t *room,
                                                      int length) {
    if (!b->shift)
        return b->x_bits;
    room[0] = 0;
    memcpy(room + 1, b->x_bits, sizeof *room * (size_t)(length - 1));
    if (b->count < (uint64_t)length)
        room[b->count] = 0;
    return room;
}

/* Added to 2^28, a number has its units in the lowest bits. */
#define UNITS_AT 0x1p28

/* The last term of an exclusive scan, which no output of the block has. */
CUMSUM_ALWAYS_INLINE void add_last_term(binary16_block *b, uint64_t *any) {
    if (!b->shift)
        return;
    const double last = (double)binary16_value_of(b->x_bits[b->count - 1]);
    b->sum_behind += last;
    b->magnitude_behind += fabs(last);
    *any |= bits_of(fabs(last) + UNITS_AT);
}

#if FAST_VECTORS
#define PARTS LANES

/* The rows that are taken from each part at once: those of the shortest blocks have fewer. */
CUMSUM_ALWAYS_INLINE int rows_of_part(int part) {
    return part < ROWS ? part : ROWS;
}

/* Sums of the terms, and all of their bits. Each lane has a part of the block. */
CUMSUM_ALWAYS_INLINE uint64_t add_terms(binary16_block *b, const uint16_t *terms, int length) {
    const int part = length / LANES, rows = rows_of_part(part);
    const int64_t pitch = (int64_t)sizeof *terms * part;
    doubles sum = {0}, magnitude = {0};
    truths any = {0};
    for (int i = 0; i < part; i += rows) {
        rows_of_lines x;
        gather_half_rows(x, (size_t)rows, (const unsigned char *)(terms + i), sizeof *terms, pitch);
        memcpy(b->turned + (size_t)i * LANES, x, sizeof *x * (size_t)rows);
        CUMSUM_UNROLL
        for (int row = 0; row < rows; row++) {
            const doubles value = widened(load_row(x[row]));
            sum += value;
            magnitude += magnitudes(value);
            any |= (truths)(magnitudes(value) + all(UNITS_AT));
        }
    }
    uint64_t found = 0;
    for (int j = 0; j < LANES; j++) {
        b->starts[j + 1] = b->starts[j] + sum[j];
        b->magnitude_behind += magnitude[j];
        found |= (uint64_t)any[j];
    }
    return found;
}

CUMSUM_ALWAYS_INLINE floats larger_floats(floats a, floats b) {
    const small_truths first = a > b;
    return (floats)(((small_truths)a & first) | ((small_truths)b & ~first));
}

CUMSUM_ALWAYS_INLINE bool is_any_above(floats v, float limit) {
    bool above = false;
    for (int j = 0; j < LANES; j++)
        above |= v[j] > limit;
    return above;
}

/* Half the gap above a number of binary16, given by the bits of its binary32 magnitude: 2^-11 of
 * the power of two below it, but not less than that of the subnormal numbers. Of the binary32
 * number before it, half the gap below. */
CUMSUM_ALWAYS_INLINE floats half_gap(small_truths magnitude) {
    return larger_floats((floats)(magnitude & 0x7F800000) * 0x1p-11F, (floats){0} + 0x1p-25F);
}

/* Behind the difference all is done in binary32. Its size is rounded up, by more than the
 * difference has lost; the difference to the gap loses less than the margins of the levels. */
CUMSUM_ALWAYS_INLINE watch_answer watch_as(const binary16_block *b, const binary16_watch *watch,
                                           binary16_stored stored, int length) {
    const int part = length / LANES, rows = rows_of_part(part);
    const int64_t pitch = (int64_t)sizeof *b->y_bits * part;
    const doubles error = all(watch->error);
    floats away = {0}, far = {0}; /* the most */
    doubles sum;
    memcpy(&sum, b->starts, sizeof sum);
    for (int i = 0; i < part; i += rows) {
        rows_of_lines y;
        gather_half_rows(y, (size_t)rows, (const unsigned char *)(b->y_bits + i), sizeof *b->y_bits,
                         pitch);
        CUMSUM_UNROLL
        for (int row = 0; row < rows; row++) {
            const floats output = load_row(y[row]);
            sum += widened(load_row(b->turned + (size_t)(i + row) * LANES));
            const floats difference = narrowed((sum + error) - widened(output));
            const small_truths bits = (small_truths)output & INT32_MAX;
            const small_truths before = ((small_truths)output ^ (small_truths)difference) >> 31;
            const small_truths finite = bits < 0x47800000; /* 65536 stands for infinity */
            const floats size = (floats)((small_truths)difference & INT32_MAX & finite);
            far = larger_floats(far, size);
            if (stored == STORED_ANYHOW)
                continue;
            floats gap = {0};
            if (stored == STORED_NEAREST)
                gap = half_gap(bits + before); /* the number before it */
            else if (stored == STORED_ZERO)
                gap = (floats)((small_truths)(half_gap(bits) * 2) & ~before);
            away = larger_floats(away, size * (1 + 0x1p-22F) - gap);
        }
    }
    const bool sure = stored != STORED_ANYHOW && !is_any_above(away, watch->level);
    return (watch_answer){sure, !is_any_above(far, watch->distance)};
}
#else
#define PARTS 1

CUMSUM_ALWAYS_INLINE uint64_t add_terms(binary16_block *b, const uint16_t *terms, int length) {
    uint64_t any = 0;
    b->starts[1] = b->starts[0];
    for (int i = 0; i < length; i++) {
        const double value = (double)binary16_value_of(terms[i]);
        b->starts[1] += value;
        b->magnitude_behind += fabs(value);
        any |= bits_of(fabs(value) + UNITS_AT);
    }
    return any;
}

CUMSUM_ALWAYS_INLINE watch_answer watch_as(const binary16_block *b, const binary16_watch *watch,
                                           binary16_stored stored, int length) {
    (void)b, (void)watch, (void)stored, (void)length;
    return (watch_answer){false, false};
}
#endif

/* g. Half a gap is 2^(exponent - 26). Towards 0 it is half of that below a power of two, but not
 * below the smallest normal number. */
CUMSUM_ALWAYS_INLINE void prepare_gaps(binary16_block *b, int length) {
    for (int i = 0; i < length; i++) {
        const uint32_t bits = b->y_bits[i], magnitude = bits & 0x7FFF;
        const uint32_t exponent = magnitude < 0x800 ? 1 : magnitude >> 10;
        const uint32_t smaller = exponent > 1 && (magnitude & 0x3FF) == 0;
        const float odd = bits & 1 ? 1 - 0x1p-11f : 1;
        b->outer[i] = binary32_of_bits((exponent + 101) << 23) * odd;
        b->inner[i] = binary32_of_bits((exponent + 101 - smaller) << 23) * odd;
    }
}

CUMSUM_ALWAYS_INLINE watch_answer watch_stored(const binary16_block *b, const binary16_watch *watch,
                                               int length) {
    switch (watch->stored) {
    case STORED_ANYHOW:
        return watch_as(b, watch, STORED_ANYHOW, length);
    case STORED_NEAREST:
        return watch_as(b, watch, STORED_NEAREST, length);
    case STORED_ZERO:
        return watch_as(b, watch, STORED_ZERO, length);
    default:
        return watch_as(b, watch, STORED_PLAIN, length);
    }
}

CUMSUM_ALWAYS_INLINE block_answer test(const binary16_block *b, const binary16_limits *limits,
                                       int length) {
    const binary16_limits l = *limits;
    const double *sums = b->sum + FRONT - b->shift, *magnitudes = b->magnitude + FRONT - b->shift;
    const double count = (double)b->count;
    uint64_t misfits = 0, unrated = 0;
    for (int i = 0; i < length; i++) {
        const double y = (double)b->y[i], s = sums[i], a = magnitudes[i], k = (double)i;
        const double distance = fabs(y - s), outer = (double)b->outer[i];
        const double inner = (double)b->inner[i];
        const bool beyond = (s - y) * y >= 0, none = k >= count;
        const double g = beyond ? outer : inner;
        const double error = bound_at(l.wide, k, a);
        const double rounded = least_of(g + error + l.nearest, g + bound_at(l.narrow, k, a));
        const double zero = l.zero_outer * g;
        const double cut = least_of(error + (beyond ? zero : l.zero), bound_at(l.truncating, k, a));
        misfits |= ((distance <= least_of(rounded, cut)) | none) ? 0 : 1;
        unrated |= ((distance <= least_of(l.error * a, l.rounding * g)) | none) ? 0 : 1;
    }
    return (block_answer){misfits == 0, unrated == 0};
}

/* Sorts the models of each output into those that fit, by bounds that are too small, those that do
 * not, by bounds that are too large, and the rest. */
CUMSUM_ALWAYS_INLINE void sort(binary16_block *b, int length) {
    const double largest = 65504, *sums = b->sum + FRONT - b->shift;
    const double *magnitudes = b->magnitude + FRONT - b->shift;
    const double *earlier = b->pairs + FRONT, *roundings = b->quads + FRONT;
    for (int i = 0; i < length; i++) {
        const double y = (double)b->y[i], s = sums[i], a = magnitudes[i];
        const double distance = fabs(y - s), outer = (double)b->outer[i];
        const double inner = (double)b->inner[i];
        const bool beyond = (s - y) * y >= 0;
        const double g = beyond ? outer : inner;
        const double wide_part = earlier[i] * 0x1p-24, cut_part = roundings[i] * 0x1p-10;
        const double narrow_part = roundings[i] > 1 ? (roundings[i] - 1) * 0x1p-11 : 0;
        const double error = wide_part * a, cut = cut_part * a, narrow = narrow_part * a;
        const double positive = (a + s) * 0.5, negative = (a - s) * 0.5;
        const double under = least_of(positive, largest) - negative - y;
        const double over = y - (positive - least_of(negative, largest));
        const double outside = under > over ? under : over;
        /* Terms of one sign have narrower bounds below, and stop nowhere but at the end. */
        const double sure = (1 - 0x1p-19) * a, high = 1 + 0x1p-19;
        const double sure_error = wide_part / (1 + wide_part) * sure;
        const double sure_cut = cut_part / (1 + cut_part) * sure;
        const double sure_narrow = narrow_part / (1 + narrow_part) * (1 - 0x1p-10) * a;
        const double sure_outside = a > fabs(s) ? outside : distance;
        const double gap = beyond ? 2 * outer : 0, rest = beyond ? 0x1p-9 * outer : 0x1p-12 * outer;
        uint32_t yes = 0, no = 0;
        yes |= distance <= g + sure_error ? NEAREST | IEEE : 0;
        no |= distance > g * (1 + 0x1p-11) + error * high ? NEAREST | IEEE : 0;
        yes |= distance <= sure_error + gap * (1 - 0x1p-11) ? ZERO : 0;
        no |= distance > error * high + gap + rest ? ZERO : 0;
        yes |= distance <= g + sure_narrow ? NARROW : 0;
        no |= distance > g * (1 + 0x1p-10) + narrow * high ? NARROW : 0;
        yes |= distance <= sure_cut ? TRUNCATING : 0;
        no |= distance > cut * high ? TRUNCATING : 0;
        yes |= sure_outside <= sure_cut ? SATURATING : 0;
        no |= outside > cut * high ? SATURATING : 0;
        b->fits[i] = (uint8_t)yes;
        b->unsure[i] = (uint8_t)(0x3F & ~(yes | no));
    }
}

CUMSUM_ALWAYS_INLINE void prepare_binary16_block(binary16_block *b, int length) {
    uint16_t room[BLOCK];
    look_at_bits(b, length);
    b->magnitude_behind = b->magnitude_before;
    uint64_t any = add_terms(b, terms_of_outputs(b, room, length), length);
    b->parts = PARTS;
    b->sum_behind = b->starts[PARTS];
    add_last_term(b, &any);
    b->any_bit = any & ((UINT64_C(1) << 52) - 1);
    b->is_scanned = false;
}

CUMSUM_ALWAYS_INLINE void scan_elements(binary16_block *b, int length) {
    for (int i = 0; i < length; i++) {
        b->x[FRONT + i] = binary16_value_of(b->x_bits[i]);
        b->y[i] = binary16_value_of(b->y_bits[i]);
    }
    scan_binary16_block(b, b->sum, b->starts[0], false, length);
    b->is_scanned = true;
}

CUMSUM_ALWAYS_INLINE block_answer test_gaps(binary16_block *b, const binary16_limits *limits,
                                            int length) {
    prepare_gaps(b, length);
    return test(b, limits, length);
}

/* Lengths of blocks are constants, for the sake of the compiler's vectors. Each part has a multiple
 * of 8 elements, or 4 or 2. */
#define FOR_LENGTH(b, call)                                                                        \
    do {                                                                                           \
        enum {                                                                                     \
            tiny = 16,                                                                             \
            small = 64                                                                             \
        };                                                                                         \
        if ((b)->count <= tiny)                                                                    \
            call(tiny);                                                                            \
        else if ((b)->count <= small)                                                              \
            call(small);                                                                           \
        else                                                                                       \
            call(BLOCK);                                                                           \
    } while (0)

void FAST_NAMED(cumsum_binary16_prepare)(binary16_block *b) {
#define PREPARE(length) prepare_binary16_block(b, length)
    FOR_LENGTH(b, PREPARE);
}

void FAST_NAMED(cumsum_binary16_scan)(binary16_block *b) {
#define SCAN(length) scan_elements(b, length)
    FOR_LENGTH(b, SCAN);
}

watch_answer FAST_NAMED(cumsum_binary16_watch)(const binary16_block *b,
                                               const binary16_watch *watch) {
#define WATCH(length) return watch_stored(b, watch, length)
    FOR_LENGTH(b, WATCH);
}

void FAST_NAMED(cumsum_binary16_magnitudes)(binary16_block *b) {
#define SCAN_MAGNITUDES(length) scan_magnitudes(b, length)
    FOR_LENGTH(b, SCAN_MAGNITUDES);
}

block_answer FAST_NAMED(cumsum_binary16_test)(binary16_block *b, const binary16_limits *limits) {
#define TEST(length) return test_gaps(b, limits, length)
    FOR_LENGTH(b, TEST);
}

void FAST_NAMED(cumsum_binary16_sort)(binary16_block *b) {
#define SORT(length) sort(b, length)
    FOR_LENGTH(b, SORT);
}
