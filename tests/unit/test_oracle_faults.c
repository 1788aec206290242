/* SPDX-License-Identifier: MIT */
/*
 * Plausible bugs of an implementation in short lines: each must fail wherever the bound can tell it
 * from a right output. The right output of the same data must pass. test_oracle_fast has random
 * faults in longer lines.
 */
#include "check.h"
#include "oracle_data.h"

#include <inttypes.h>

static uint16_t half(float value) {
    return cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
}

/* A short line, and what is said of its outputs. */
typedef struct short_line {
    cumsum_data_type type;
    const cumsum_judge_options *options;
    uint32_t n;
    double x[6], y[6];
    uint64_t fail;
    uint64_t overflow; /* may overflow */
    uint32_t first;    /* the place of the first finding that is shown, if there is any */
} short_line;

#define F32  CUMSUM_DATA_TYPE_FLOAT32
#define F16  CUMSUM_DATA_TYPE_FLOAT16
#define I8   CUMSUM_DATA_TYPE_INT8
#define U8   CUMSUM_DATA_TYPE_UINT8
#define I16  CUMSUM_DATA_TYPE_INT16
#define U16  CUMSUM_DATA_TYPE_UINT16
#define I32  CUMSUM_DATA_TYPE_INT32
#define U64  CUMSUM_DATA_TYPE_UINT64
#define INF  INFINITY
#define BIG  3e38
#define TINY 0x1p-142
#define W    0x1p-126 /* the smallest normal number */
#define HIGH 0x1p32

static const cumsum_judge_options strict = {.strict = true};
static const cumsum_judge_options strict_reachable = {.strict = true, .reachable = true};
static const cumsum_judge_options strict_zero = {.strict_zero = true};
static const cumsum_judge_options nearest = {.promised = true};
static const cumsum_judge_options to_zero = {
    .promised = true, .numerics = {.half_store = CUMSUM_HALF_STORE_TOWARD_ZERO}};
static const cumsum_judge_options ieee = {.promised = true,
                                          .numerics = {.half_store = CUMSUM_HALF_STORE_IEEE}};
static const cumsum_judge_options exact_order = {
    .promised = true,
    .numerics = {CUMSUM_ORDER_EXACT, CUMSUM_HALF_ACCUMULATOR_FLOAT16, CUMSUM_HALF_STORE_TOWARD_ZERO,
                 CUMSUM_DENORMALS_PRESERVE}};

static const short_line short_lines[] = {
    /* Infinities are held to IEEE 754. */
    {F32, NULL, 4, {1, INF, 2, -INF}, {1, INF, INF, NAN}, 0, 0, 0},
    {F32, NULL, 4, {1, INF, 2, -INF}, {1, -INF, INF, NAN}, 1, 0, 1},
    {F32, NULL, 4, {1, INF, 2, -INF}, {1, NAN, INF, NAN}, 1, 0, 1},
    {F32, NULL, 4, {1, INF, 2, -INF}, {1, INF, 3, NAN}, 1, 0, 2},
    {F32, NULL, 4, {1, INF, 2, -INF}, {1, INF, INF, INF}, 1, 0, 3},
    {F32, NULL, 4, {1, INF, 2, -INF}, {INF, INF, INF, NAN}, 1, 0, 0},
    /* A NaN leaks into an output before it, as total minus suffix or 0 times infinity; or is lost.
     */
    {F32, NULL, 4, {1, 2, NAN, 3}, {1, 3, NAN, NAN}, 0, 0, 0},
    {F32, NULL, 4, {1, 2, NAN, 3}, {1, NAN, NAN, NAN}, 1, 0, 1},
    {F32, NULL, 4, {1, 2, NAN, 3}, {1, 3, NAN, 6}, 1, 0, 3},
    /* An infinity, and finite terms of the other sign that can overflow by themselves. Of few terms
     * it is decided. */
    {F32, NULL, 3, {-BIG, -BIG, INF}, {-BIG, -INF, NAN}, 0, 0, 0},
    {F32, NULL, 5, {-BIG, -BIG, INF, 1, 1}, {-BIG, -INF, NAN, NAN, NAN}, 0, 1, 4},
    {F32, &strict, 5, {-BIG, -BIG, INF, 1, 1}, {-BIG, -INF, NAN, NAN, NAN}, 0, 1, 4},
    {F32, &strict_reachable, 5, {-BIG, -BIG, INF, 1, 1}, {-BIG, -INF, NAN, NAN, NAN}, 0, 0, 0},
    /* The finite part can only overflow towards it; on the way; and not at all. */
    {F32, NULL, 3, {BIG, BIG, INF}, {BIG, INF, NAN}, 1, 0, 2},
    {F32, NULL, 3, {BIG, BIG, -BIG}, {BIG, INF, INF}, 0, 0, 0},
    {F32, NULL, 3, {BIG, BIG, -BIG}, {BIG, INF, -INF}, 1, 0, 2},
    {F32, NULL, 3, {1, 2, 3}, {1, 3, INF}, 1, 0, 2},
    /* A FAIL is reported before an output that may overflow, wherever it lies. */
    {F32, NULL, 6, {1, BIG, BIG, -BIG, 1, 1}, {2, BIG, INF, INF, INF, BIG}, 1, 1, 0},
    /* The stores of FLOAT16 differ between 65504 and 65520. The exact order stores as IEEE 754
     * does, whatever else is promised. */
    {F16, &nearest, 2, {65504, 8}, {65504, INF}, 0, 0, 0},
    {F16, &nearest, 2, {65504, 8}, {65504, 65504}, 1, 0, 1},
    {F16, &to_zero, 2, {65504, 8}, {65504, INF}, 0, 0, 0},
    {F16, &to_zero, 2, {65504, 8}, {65504, 65504}, 1, 0, 1},
    {F16, &ieee, 2, {65504, 8}, {65504, INF}, 1, 0, 1},
    {F16, &ieee, 2, {65504, 8}, {65504, 65504}, 0, 0, 0},
    {F16, &exact_order, 2, {65504, 8}, {65504, INF}, 1, 0, 1},
    {F16, &exact_order, 2, {65504, 8}, {65504, 65504}, 0, 0, 0},
    /* Integers wrap, and do not stop; and the carry into a high word is kept. */
    {I32, NULL, 3, {INT32_MAX, 1, 1}, {INT32_MAX, INT32_MIN, INT32_MIN + 1}, 0, 0, 0},
    {I32, NULL, 3, {INT32_MAX, 1, 1}, {INT32_MAX, INT32_MAX, INT32_MAX}, 2, 0, 1},
    {I8, NULL, 3, {INT8_MAX, 1, 1}, {INT8_MAX, INT8_MIN, INT8_MIN + 1}, 0, 0, 0},
    {U8, NULL, 3, {UINT8_MAX, 1, 1}, {UINT8_MAX, 0, 0}, 1, 0, 2},
    {I16, NULL, 3, {INT16_MAX, 1, 1}, {INT16_MAX, INT16_MIN, INT16_MIN + 1}, 0, 0, 0},
    {U16, NULL, 3, {UINT16_MAX, 1, 1}, {UINT16_MAX, UINT16_MAX, 1}, 1, 0, 1},
    {U64, NULL, 3, {HIGH - 1, 1, 1}, {HIGH - 1, HIGH, HIGH + 1}, 0, 0, 0},
    {U64, NULL, 3, {HIGH - 1, 1, 1}, {HIGH - 1, 0, 1}, 2, 0, 1},
    /* Zeros compare by value, unless strict: then neither a flushed sum nor anything else is -0. */
    {F32, NULL, 2, {-0.0, 0}, {-0.0, 0}, 0, 0, 0},
    {F32, &strict_zero, 2, {-0.0, 0}, {-0.0, 0}, 1, 0, 0},
    {F32, &strict_zero, 2, {-0.0, 0}, {0, 0}, 0, 0, 0},
    {F32, NULL, 3, {-4 * TINY, 2 * TINY, -TINY}, {-0.0, -0.0, -0.0}, 0, 0, 0},
    {F32, &strict_zero, 3, {-4 * TINY, 2 * TINY, -TINY}, {-0.0, -0.0, -0.0}, 3, 0, 0},
    {F16, NULL, 2, {-0.0, 0}, {-0.0, 0}, 0, 0, 0},
    {F16, &strict_zero, 2, {-0.0, 0}, {-0.0, 0}, 1, 0, 0},
/* Flushing excuses only what it does: sums of multiples of w are never subnormal, in any order;
 * sums of multiples of w / 2 may be. */
#define MULTIPLES(w, more)                                                                         \
    5, {3 * (w), 5 * (w), 9 * (w), w, w}, {                                                        \
        3 * (w), 8 * (w), 17 * (w), 18 * (w), 19 * (w) + (more)                                    \
    }
    {F32, NULL, MULTIPLES(W, W / 0x1p19), 1, 0, 4},
    {F32, NULL, MULTIPLES(W / 2, W / 0x1p20), 0, 0, 0},
    {F32, NULL, 2, {0x1p-140, 0x1p-141}, {0, 0x1p-149}, 1, 0, 1},
};

/* The bits of a value of a type that has it. */
static uint64_t bits_as(cumsum_data_type type, double value) {
    switch (type) {
    case F32:
        return bits_of((float)value);
    case F16:
        return half((float)value);
    default:
        return (uint64_t)(int64_t)value;
    }
}

static cumsum_judgement judge_short_line(const short_line *l) {
    uint64_t x[6] = {0}, y[6] = {0}, input[6], output[6];
    for (uint32_t k = 0; k < l->n; k++) {
        x[k] = bits_as(l->type, l->x[k]);
        y[k] = bits_as(l->type, l->y[k]);
    }
    pack_elements(l->type, x, l->n, input);
    pack_elements(l->type, y, l->n, output);
    return judge_1d(l->type, l->n, input, output, false, l->options, NULL);
}

static void what_is_said_of_short_lines(void) {
    for (size_t i = 0; i < sizeof short_lines / sizeof short_lines[0]; i++) {
        const short_line *l = &short_lines[i];
        const cumsum_judgement j = judge_short_line(l);
        const bool may_pass = !l->fail && !(l->overflow && l->options && l->options->strict);
        const cumsum_error_class worst = l->fail       ? CUMSUM_CLASS_FAIL
                                         : l->overflow ? CUMSUM_CLASS_MAY_OVERFLOW
                                                       : CUMSUM_CLASS_WORST_CASE;
        if (j.outputs != l->n || j.pass != may_pass || j.counts[CUMSUM_VERDICT_FAIL] != l->fail ||
            j.counts[CUMSUM_VERDICT_MAY_OVERFLOW] != l->overflow || j.error_class > worst ||
            (j.error_class != worst && (l->fail || l->overflow)) ||
            ((l->fail || l->overflow) && j.first.coordinates[0] != l->first) ||
            (l->overflow && !isinf(j.h)))
            fail_msg("short line %zu: pass %d, %s, %" PRIu64 " FAIL, first at %u", i, j.pass,
                     cumsum_error_class_name(j.error_class), j.counts[CUMSUM_VERDICT_FAIL],
                     j.first.coordinates[0]);
    }
}

CHECK_GROUP(test_oracle_faults, T(what_is_said_of_short_lines));
