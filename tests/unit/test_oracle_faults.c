/* SPDX-License-Identifier: MIT */
/*
 * Planted faults: each is a plausible bug of an implementation, and must fail wherever the bound
 * can tell it from a right output. Every test also judges the right output of the same data, which
 * must pass.
 */
#include "check.h"
#include "oracle_data.h"

#include <inttypes.h>

#define N 400

/* A right output: sequential in binary32, inclusive. */
static void scan32(const float *x, float *y, uint32_t n) {
    float sum = 0;
    for (uint32_t k = 0; k < n; k++)
        y[k] = sum += x[k];
}

static void fill32(data_family family, float *x, uint32_t n) {
    uint64_t state = 7;
    for (uint32_t k = 0; k < n; k++)
        x[k] = family_value(family, k, &state);
}

static bool passes32(const float *x, const float *y, uint32_t n, const cumsum_judge_options *o) {
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, n, x, y, false, o, NULL);
    assert_int_equal(j.outputs, n);
    return j.pass;
}

static const data_family told[] = {DATA_UNIFORM, DATA_INTEGERS, DATA_MASK, DATA_SIGNED};

/* The index of a term that is not 0, so that dropping it matters. */
static uint32_t fault_place(const float *x) {
    uint32_t k = N / 2;
    while (fabsf(x[k]) < 0.25f)
        k++;
    return k;
}

/* A term is dropped, or counted twice. */
static void a_wrong_term_fails(void) {
    for (size_t f = 0; f < sizeof told / sizeof told[0]; f++)
        for (int times = 0; times <= 2; times++) {
            float x[N], wrong[N], y[N];
            fill32(told[f], x, N);
            memcpy(wrong, x, sizeof x);
            wrong[fault_place(x)] *= (float)times;
            scan32(wrong, y, N);
            assert_int_equal(passes32(x, y, N, NULL), times == 1);
        }
}

/* Two lines, swapped in the output. */
static void a_neighbours_line_fails(void) {
    const uint32_t sizes[2] = {2, N / 2};
    float x[N], y[N];
    scan_desc d;
    describe_scan(&d, CUMSUM_DATA_TYPE_FLOAT32, 2, sizes, NULL, NULL);
    fill32(DATA_UNIFORM, x, N);
    scan32(x, y, N / 2);
    scan32(x + N / 2, y + N / 2, N / 2);
    assert_true(judge_scan(&d, x, y, NULL, NULL).pass);
    scan32(x, y + N / 2, N / 2);
    scan32(x + N / 2, y, N / 2);
    const cumsum_judgement j = judge_scan(&d, x, y, NULL, NULL);
    assert_false(j.pass);
    assert_true(j.first.coordinates[0] == 0 && j.first.coordinates[1] == 0);
}

/* The input is read with a stride that is one too small. */
static void an_off_by_one_stride_fails(void) {
    const uint32_t n = 100, stride = 3;
    scan_desc d;
    describe_scan(&d, CUMSUM_DATA_TYPE_FLOAT32, 1, &n, &stride, NULL);
    float x[N], strided[N], y[N];
    fill32(DATA_UNIFORM, x, N);
    for (uint32_t wrong = 0; wrong < 2; wrong++) {
        for (uint32_t k = 0; k < n; k++)
            strided[k] = x[k * (stride - wrong)];
        scan32(strided, y, n);
        assert_int_equal(judge_scan(&d, x, y, NULL, NULL).pass, !wrong);
    }
}

static void a_leaked_nan_fails(void) {
    float x[N], y[N];
    fill32(DATA_UNIFORM, x, N);
    x[300] = NAN;
    scan32(x, y, N);
    assert_true(passes32(x, y, N, NULL));
    y[299] = NAN; /* total minus suffix, or 0 * inf in a triangular product */
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, false, NULL, NULL);
    assert_false(j.pass);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
    assert_int_equal(j.first.coordinates[0], 299);
    assert_int_equal(j.worst.ulps, UINT64_MAX);
    scan32(x, y, N);
    y[350] = 5; /* and a NaN is lost */
    assert_false(passes32(x, y, N, NULL));
}

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
#define I32  CUMSUM_DATA_TYPE_INT32
#define U64  CUMSUM_DATA_TYPE_UINT64
#define INF  INFINITY
#define BIG  3e38
#define TINY 0x1p-142
#define W    0x1p-126 /* the smallest normal number */
#define HIGH 0x1p32
#define BEST CUMSUM_CLASS_CORRECTLY_ROUNDED
#define ONE  CUMSUM_CLASS_ONE

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

/* Lines that pass, and their class. */
static const struct {
    short_line line;
    cumsum_error_class error_class;
} classes[] = {
    /* S lies three quarters of a step below a power of two: that power is not the nearest. */
    {{F32, NULL, 3, {1.5, -0.5, -0x1.8p-25}, {1.5, 1, 1}, 0, 0, 0}, ONE},
    {{F32, NULL, 3, {1.5, -0.5, -0x1.8p-25}, {1.5, 1, 1 - 0x1p-24}, 0, 0, 0}, BEST},
/* A small term that a sum in two binary64 numbers loses between two larger ones. */
#define LOST(y)                                                                                    \
    5, {0x1p100, 0x1p40, 0x1p-60, -0x1p100, -0x1p40}, {                                            \
        0x1p100, 0x1p100, 0x1p100, 0x1p40, y                                                       \
    }
    {{F32, NULL, LOST(0), 0, 0, 0}, ONE},
    {{F32, NULL, LOST(0x1p-60), 0, 0, 0}, BEST},
    /* FLOAT16: a tie to even; the nearest; truncated; and an infinity where IEEE 754 has 65504. */
    {{F16, NULL, 2, {2048, 1}, {2048, 2048}, 0, 0, 0}, BEST},
    {{F16, NULL, 2, {2050, 1}, {2050, 2052}, 0, 0, 0}, BEST},
    {{F16, NULL, 2, {2050, 1}, {2050, 2050}, 0, 0, 0}, ONE},
    {{F16, NULL, 2, {65504, 8}, {65504, INF}, 0, 0, 0}, ONE},
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

static void classes_of_short_lines(void) {
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        const cumsum_judgement j = judge_short_line(&classes[i].line);
        assert_true(j.pass);
        assert_int_equal(j.error_class, classes[i].error_class);
    }
}

/* Terms of one sign never give NaN or the other infinity, however many they are; two terms have one
 * sum. And a device whose binary16 sums stay at 65504 is right in its own model. */
static void what_no_overflow_gives_fails(void) {
    enum {
        TERMS = 12
    };
    uint16_t x[TERMS], y[TERMS];
    for (int k = 0; k < TERMS; k++) {
        x[k] = half(40000);
        y[k] = k ? 0x7C00u : x[0];
    }
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, TERMS, x, y, false, NULL, NULL);
    assert_true(j.pass && j.error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED);
    for (int k = 1; k < TERMS; k++)
        for (int wrong = 0; wrong < 2; wrong++) {
            y[k] = wrong ? 0x7E00u : 0xFC00u;
            j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, TERMS, x, y, false, NULL, NULL);
            assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
            y[k] = 0x7C00u;
        }
    for (int k = 1; k < TERMS; k++)
        y[k] = half(65504);
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, TERMS, x, y, false, NULL, NULL);
    assert_true(j.pass && (j.models & 1u << CUMSUM_VERDICT_BINARY16_SATURATING));
    assert_false(j.models & 1u << CUMSUM_VERDICT_BINARY16_TRUNCATING);
    assert_int_equal(j.error_class, CUMSUM_CLASS_WORST_CASE);
}

/* Three terms that have one sum in every order: its neighbours fail, and the words say that every
 * order was tried. Of six terms they are tried on request. */
static void what_no_order_gives_fails(void) {
    const float x[6] = {1, 0x1p-24f, 1, 0x1p-24f, 1, 0x1p-24f};
    float y[6], wrong[6];
    scan32(x, y, 6);
    for (int k = 2; k < 6; k++) {
        memcpy(wrong, y, sizeof y);
        wrong[k] = nextafterf(y[k], -1);
        const cumsum_judge_options reachable = {.reachable = true};
        cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 6, x, wrong, false, NULL, NULL);
        assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], k < 4);
        j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 6, x, wrong, false, &reachable, NULL);
        assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 1);
        assert_true(j.first.decided);
        assert_true(passes32(x, y, 6, &reachable));
    }
}

/* The exact sum is right, whether an order gives it or not. */
static void a_more_precise_sum_passes(void) {
    uint64_t state = 5, more_precise = 0;
    for (int round = 0; round < 1000; round++) {
        float x[3], y[3];
        for (uint32_t k = 0; k < 3; k++)
            x[k] = ldexpf(family_value(DATA_SIGNED, k, &state), -3 * (int)k);
        y[0] = x[0];
        y[1] = x[0] + x[1];
        y[2] = (float)((double)x[0] + (double)x[1] + (double)x[2]);
        cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 3, x, y, false, NULL, NULL);
        assert_true(j.pass && (j.models & 1u << CUMSUM_VERDICT_CONFORMANT));
        more_precise += j.counts[CUMSUM_VERDICT_WIDER];
    }
    assert_true(more_precise > 10);
}

/* 9,000 ones in a binary16 accumulator: it stays at 2048. */
static void a_binary16_accumulator_fails_where_binary32_is_promised(void) {
    enum {
        ONES = 9000
    };
    static uint16_t x[ONES], y[ONES];
    float sum = 0;
    for (int k = 0; k < ONES; k++) {
        x[k] = half(1);
        sum = cumsum_half_to_float(half(sum + 1));
        y[k] = half(sum);
    }
    assert_int_equal(y[ONES - 1], half(2048));
    cumsum_judge_options promised = {.promised = true};
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, ONES, x, y, false, &promised, NULL);
    assert_false(j.pass);
    assert_int_equal(j.error_class, CUMSUM_CLASS_FAIL);
    promised.numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, ONES, x, y, false, &promised, NULL);
    assert_true(j.pass);
    assert_int_equal(j.matches[0].order, CUMSUM_NAMED_SEQUENTIAL);
    assert_int_equal(j.matches[0].half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT16);
    assert_true(j.error_class > CUMSUM_CLASS_ONE); /* conformant, but the class shows the error */
}

/* Two inputs whose outputs tell all accumulators and stores apart. */
static void probes_name_the_model(void) {
    uint16_t x[8] = {half(2048), half(1), half(1), half(1), half(1), half(1), half(1), half(1)};
    static const struct {
        float y[8];
        cumsum_verdict model;
    } devices[] = {
        {{2048, 2048, 2050, 2052, 2052, 2052, 2054, 2056}, CUMSUM_VERDICT_BINARY32_NEAREST},
        {{2048, 2048, 2050, 2050, 2052, 2052, 2054, 2054}, CUMSUM_VERDICT_BINARY32_ZERO},
        {{2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048}, CUMSUM_VERDICT_BINARY16},
    };
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        uint16_t y[8];
        for (int k = 0; k < 8; k++)
            y[k] = half(devices[d].y[k]);
        cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 8, x, y, false, NULL, NULL);
        assert_true(j.pass);
        assert_true(j.models & (1u << devices[d].model));
        assert_false(d && (j.models & (1u << CUMSUM_VERDICT_BINARY32_NEAREST)));
    }
    uint16_t edge[4] = {half(60000), half(60000), half(-60000), half(-60000)};
    uint16_t saturated[4] = {half(60000), half(65504), half(60000),
                             0}; /* not an IEEE store: truncated */
    uint16_t overflowed[4] = {half(60000), 0x7C00u, half(60000), 0};
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 4, edge, overflowed, false, NULL, NULL);
    assert_true(j.pass && (j.models & (1u << CUMSUM_VERDICT_BINARY32_ZERO)));
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, 4, edge, saturated, false, NULL, NULL);
    assert_false(j.models & (1u << CUMSUM_VERDICT_BINARY32_ZERO));
}

/* Where no order rounds there is one right output, and one unit in the last place is noticed. */
static void exact_sums_have_no_tolerance(void) {
    float x[N], y[N];
    fill32(DATA_INTEGERS, x, N);
    scan32(x, y, N);
    assert_true(passes32(x, y, N, NULL));
    for (uint32_t k = 0; k < N; k += 37) {
        float kept = y[k];
        y[k] = float_of(bits_of(y[k]) ^ 1);
        assert_false(passes32(x, y, N, NULL));
        y[k] = kept;
    }
}

static void an_exclusive_scan_that_is_inclusive_fails(void) {
    float x[N], y[N];
    fill32(DATA_UNIFORM, x, N);
    scan32(x, y, N);
    assert_false(judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, true, NULL, NULL).pass);
    memmove(y + 1, y, (N - 1) * sizeof *y);
    y[0] = 0;
    assert_true(judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, true, NULL, NULL).pass);
    static const float not_zero[] = {0x1p-149f, INFINITY, NAN};
    for (int i = 0; i < 3; i++) { /* the empty prefix: only zero is right */
        y[0] = not_zero[i];
        assert_false(judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, true, NULL, NULL).pass);
    }
}

CHECK_GROUP(test_oracle_faults, T(a_wrong_term_fails), T(a_neighbours_line_fails),
            T(an_off_by_one_stride_fails), T(a_leaked_nan_fails), T(what_is_said_of_short_lines),
            T(classes_of_short_lines), T(what_no_overflow_gives_fails),
            T(what_no_order_gives_fails), T(a_more_precise_sum_passes),
            T(a_binary16_accumulator_fails_where_binary32_is_promised), T(probes_name_the_model),
            T(exact_sums_have_no_tolerance), T(an_exclusive_scan_that_is_inclusive_fails));
