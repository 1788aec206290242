/* SPDX-License-Identifier: MIT */
/*
 * The reference against what docs/numerics.md defines: lines by hand, the textbook's sequential and
 * blocked orders with the additions of each type, the oracle's exact sums. check_kernels holds the
 * kernels against the reference, in all layouts.
 */
#include "check.h"
#include "element.h"
#include "oracle_data.h"
#include "textbook_scans.h"

#include <cumsum/carry.h>
#include <cumsum/oracle.h>
#include <math.h>
#include <string.h>

enum {
    FLOAT = CUMSUM_DATA_TYPE_FLOAT32,
    HALF = CUMSUM_DATA_TYPE_FLOAT16,
    DOUBLE = CUMSUM_DATA_TYPE_FLOAT64,
    SEQUENTIAL = CUMSUM_ORDER_SEQUENTIAL,
    BLOCKED = CUMSUM_ORDER_BLOCKED,
    EXACT = CUMSUM_ORDER_EXACT,
    ALL,                   /* all orders */
    LONG = 1024 * 1024 + 5 /* three levels of the blocked order */
};

/* A line of a type and its outputs, as binary64 holds them; as bits in `elements`. */
static double x[LONG], y[LONG], expected[LONG];
static uint64_t elements[LONG];

static const real_format *format_of(int type) {
    return real_format_of((cumsum_data_type)type);
}

static void get(int type, double *values, uint32_t n) {
    const real_format *f = format_of(type);
    const uint32_t size = cumsum_data_type_size(f->type);
    for (uint32_t k = 0; k < n; k++)
        values[k] = real_value(
            f, element_load((const unsigned char *)elements + (size_t)k * size, f->type));
}

/* Computes y from x. */
static void run(int type, const cumsum_numerics *numerics, bool exclusive, uint32_t n) {
    scan_case c;
    scan_case_init_line(&c, (cumsum_data_type)type, n);
    c.options.numerics = *numerics;
    c.options.kernel = CUMSUM_KERNEL_REFERENCE;
    c.desc.has_exclusive_sum = exclusive;
    pack_values(format_of(type), x, n, elements);
    scan_case_execute(&c, elements, elements);
    get(type, y, n);
}

/* Any NaN equals any other; everything else must have the same bits. */
static void expect_outputs(const double *wanted, uint32_t n) {
    for (uint32_t k = 0; k < n; k++)
        if (memcmp(&y[k], &wanted[k], sizeof *y) != 0 && !(isnan(y[k]) && isnan(wanted[k])))
            fail_msg("output %u of %u is %a, not %a", k, n, y[k], wanted[k]);
}

#define N       0x1p-126 /* the smallest normal number of binary32 */
#define TINY    0x1p-149
#define LARGE   0x1p127
#define INF     INFINITY
#define STEP    0x1p-24 /* the smallest number of binary16 */
#define FOUR(v) v, v, v, v

static const cumsum_numerics plain, flush = {.denormals = CUMSUM_DENORMALS_FLUSH},
                                    to_zero = {.half_store = CUMSUM_HALF_STORE_TOWARD_ZERO},
                                    ieee = {.half_store = CUMSUM_HALF_STORE_IEEE},
                                    narrow = {.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16};

static const struct {
    int type, order;
    const cumsum_numerics *numerics; /* but for the order */
    uint32_t length;
    double input[8], output[8];
    bool exclusive;
} by_hand[] = {
    /* The first example of DirectML's documentation; its others are golden files. */
    {FLOAT, ALL, &plain, 4, {2, 1, 3, 5}, {2, 3, 6, 11}, false},
    /* A sum begins with +0. */
    {FLOAT, ALL, &plain, 4, {-0.0, -0.0, 1, -1}, {0, 0, 1, 0}, false},
    {FLOAT, ALL, &plain, 4, {-0.0, -0.0, 1, -1}, {0, 0, 0, 1}, true},
    {FLOAT, ALL, &plain, 4, {1, NAN, INF, 2}, {1, NAN, NAN, NAN}, false},
    {FLOAT, ALL, &plain, 4, {1, NAN, INF, 2}, {0, 1, NAN, NAN}, true},
    {FLOAT, ALL, &plain, 4, {1, INF, 5, -INF}, {1, INF, INF, NAN}, false},
    {FLOAT, ALL, &plain, 3, {-INF, LARGE, -INF}, {-INF, -INF, -INF}, false},
    /* A rounded sum that overflows stays infinite; the exact sum becomes finite again. */
    {FLOAT, SEQUENTIAL, &plain, 3, {LARGE, LARGE, -LARGE}, {LARGE, INF, INF}, false},
    {FLOAT, EXACT, &plain, 3, {LARGE, LARGE, -LARGE}, {LARGE, INF, LARGE}, false},
    {FLOAT, ALL, &plain, 4, {-TINY, TINY, -1.5 * N, N}, {-TINY, 0, -1.5 * N, -0.5 * N}, false},
    /* Flushing makes the inputs zeros, and -1.5 + 1 = -0.5 of the smallest normal number -0; of an
     * exact sum it flushes the stored value alone. */
    {FLOAT, SEQUENTIAL, &flush, 5, {-TINY, TINY, -1.5 * N, N, N}, {0, 0, -1.5 * N, -0.0, N}, false},
    {FLOAT, EXACT, &flush, 5, {-TINY, TINY, -1.5 * N, N, N}, {0, 0, -1.5 * N, -0.0, 0}, false},
    /* From 2048 on, the step between halves is 2. */
    {HALF, SEQUENTIAL, &narrow, 5, {2048, FOUR(1)}, {2048, FOUR(2048)}, false},
    {HALF, SEQUENTIAL, &plain, 5, {2048, FOUR(1)}, {2048, 2048, 2050, 2052, 2052}, false},
    {HALF, SEQUENTIAL, &to_zero, 5, {2048, FOUR(1)}, {2048, 2048, 2050, 2050, 2052}, false},
    /* Beyond the largest half, a binary32 accumulator recovers and a binary16 one does not. */
    {HALF, SEQUENTIAL, &plain, 4, {6e4, 6e4, -6e4, -6e4}, {6e4, INF, 6e4, 0}, false},
    {HALF, SEQUENTIAL, &narrow, 4, {6e4, 6e4, -6e4, -6e4}, {6e4, INF, INF, INF}, false},
    /* Where stores overflow. */
    {HALF, SEQUENTIAL, &plain, 2, {65504, 15}, {65504, INF}, false},
    {HALF, SEQUENTIAL, &to_zero, 2, {65504, 15}, {65504, INF}, false},
    {HALF, SEQUENTIAL, &ieee, 3, {65504, 15, 1}, {65504, 65504, INF}, false},
    {HALF, SEQUENTIAL, &narrow, 2, {65504, 15}, {65504, 65504}, false},
    /* Subnormal halves are kept. */
    {HALF, SEQUENTIAL, &flush, 3, {STEP, 3 * STEP, -2 * STEP}, {STEP, 4 * STEP, 2 * STEP}, false},
    {HALF, SEQUENTIAL, &narrow, 3, {STEP, 3 * STEP, -2 * STEP}, {STEP, 4 * STEP, 2 * STEP}, false},
};

static void test_lines_by_hand(void) {
    for (size_t i = 0; i < sizeof by_hand / sizeof by_hand[0]; i++)
        for (int order = SEQUENTIAL; order <= EXACT; order++) {
            cumsum_numerics numerics = *by_hand[i].numerics;
            if (by_hand[i].order != ALL && by_hand[i].order != order)
                continue;
            numerics.order = (cumsum_order)order;
            memcpy(x, by_hand[i].input, sizeof by_hand[i].input);
            run(by_hand[i].type, &numerics, by_hand[i].exclusive, by_hand[i].length);
            expect_outputs(by_hand[i].output, by_hand[i].length);
        }
}

/* Numbers of both signs, of `spread` binades below 2^top. */
static void draw(int type, uint64_t seed, uint32_t n, int top, uint32_t spread) {
    const real_format *f = format_of(type);
    for (uint32_t k = 0; k < n; k++) {
        const double mantissa = ldexp((double)(random_next(&seed) >> 11 | UINT64_C(1) << 52), -53);
        const int exponent = top - (int)random_below(&seed, spread);
        const double value = real_round(f, ldexp(mantissa, exponent), REAL_TO_ZERO);
        x[k] = random_once_in(&seed, 2) ? value : -value;
    }
}

static double flushed(double value) {
    return real_is_subnormal(&real_binary32, value) ? copysign(0, value) : value;
}

static double add_flushed(double a, double b) {
    return flushed(add_binary32(flushed(a), flushed(b)));
}

/* What a line of FLOAT32 or FLOAT16 becomes. */
static void add_by_the_textbook(int type, const cumsum_numerics *numerics, uint32_t n) {
    const bool halves = type == HALF && numerics->half_accumulator;
    textbook_addition *add = halves                                 ? add_binary16
                             : type == FLOAT && numerics->denormals ? add_flushed
                                                                    : add_binary32;
    memcpy(expected, x, n * sizeof *x);
    (numerics->order == CUMSUM_ORDER_BLOCKED ? scan_blocked : scan_sequential)(add, expected, n);
    for (uint32_t k = 0; k < n && type == HALF && !halves; k++)
        expected[k] = real_store(&real_binary16, expected[k], numerics->half_store);
}

/* Inclusive outputs, and exclusive ones, which are the same one place later. */
static void expect_order(int type, const cumsum_numerics *numerics, uint32_t n) {
    add_by_the_textbook(type, numerics, n);
    run(type, numerics, false, n);
    expect_outputs(expected, n);
    for (uint32_t k = n - 1; k > 0; k--)
        expected[k] = expected[k - 1];
    expected[0] = 0;
    run(type, numerics, true, n);
    expect_outputs(expected, n);
}

static void test_every_short_length(void) {
    const cumsum_numerics sequential = {.order = CUMSUM_ORDER_SEQUENTIAL},
                          blocked = {.order = CUMSUM_ORDER_BLOCKED};
    draw(FLOAT, 3, LONG, 10, 20);
    for (uint32_t n = 1; n <= 2200; n++) {
        expect_order(FLOAT, &blocked, n);
        if (n % 16 < 2)
            expect_order(FLOAT, &sequential, n);
    }
    expect_order(FLOAT, &blocked, LONG);
    expect_order(FLOAT, &sequential, LONG);
}

/* Inputs and sums around the smallest normal number, so that some of both are flushed. */
static void test_flushing(void) {
    draw(FLOAT, 5, 20000, -123, 4);
    for (int i = 0; i < 4; i++) {
        const cumsum_numerics numerics = {.order = (cumsum_order)(i & 1),
                                          .denormals = (cumsum_denormals)(i >> 1)};
        expect_order(FLOAT, &numerics, 20000);
    }
}

/* All options; flushing has no effect. */
static void test_halves(void) {
    static const uint32_t lengths[] = {1, 15, 17, 1023, 1024, 1041, 20000};
    for (size_t i = 0; i < 2 * 2 * 3 * sizeof lengths / sizeof lengths[0]; i++) {
        const cumsum_numerics numerics = {.order = (cumsum_order)(i % 2),
                                          .half_accumulator = (cumsum_half_accumulator)(i / 2 % 2),
                                          .half_store = (cumsum_half_store)(i / 4 % 3),
                                          .denormals = CUMSUM_DENORMALS_FLUSH};
        draw(HALF, i, lengths[i / 12], 15, 38);
        expect_order(HALF, &numerics, lengths[i / 12]);
    }
}

/* Numbers of all sizes, of similar size, near the largest, and subnormal ones. */
static void draw_kind(int type, unsigned kind, uint64_t seed, uint32_t n) {
    const real_format *f = format_of(type);
    const int top = ilogb(f->largest) + 1, least = f->least_place + f->precision;
    if (kind == 0)
        draw(type, seed, n, top, (uint32_t)(top - f->least_place));
    else
        draw(type, seed, n, kind == 1 ? 3 : kind == 2 ? top : least, kind == 1 ? 8 : 4);
}

/* Options have no effect on an exact sum. */
static void test_exact_sums(void) {
    static const int types[] = {FLOAT, HALF, DOUBLE};
    static uint64_t sums[2000];
    for (unsigned i = 0; i < 3 * 4 * 8; i++) {
        const int type = types[i % 3];
        const cumsum_numerics numerics = {.order = CUMSUM_ORDER_EXACT,
                                          .half_accumulator = (cumsum_half_accumulator)(i & 1),
                                          .half_store = (cumsum_half_store)(i % 3)};
        const uint64_t bytes = 2000 * cumsum_data_type_size((cumsum_data_type)type);
        scan_case c;
        scan_case_init_line(&c, (cumsum_data_type)type, 2000);
        c.desc.has_exclusive_sum = i >> 1 & 1;
        draw_kind(type, i / 3 % 4, i, 2000);
        pack_values(format_of(type), x, 2000, elements);
        assert_int_equal(cumsum_exact_sums(&c.desc, elements, bytes, sums, bytes, NULL), CUMSUM_OK);
        memcpy(elements, sums, bytes);
        get(type, expected, 2000);
        run(type, &numerics, i >> 1 & 1, 2000);
        expect_outputs(expected, 2000);
    }
}

/* FLOAT64, which plans compute although DirectML has no such type: the sequential order is compared
 * with a loop, and of the blocked one the oracle says that it is this order and no other. */
static void test_float64(void) {
    for (unsigned i = 0; i < 4 * 4; i++) {
        const uint32_t n = 1100;
        const bool flushes = i & 1, blocked = i & 2;
        cumsum_numerics numerics = {.order =
                                        blocked ? CUMSUM_ORDER_BLOCKED : CUMSUM_ORDER_SEQUENTIAL,
                                    .denormals = (cumsum_denormals)flushes};
        scan_case c;
        cumsum_judgement judgement;
        const cumsum_judge_options options = {.all_orders = true};
        draw_kind(DOUBLE, blocked ? 1 : i >> 2, i, n);
        for (uint32_t k = 0; blocked && flushes && k < n; k++)
            x[k] = ldexp(x[k], -1024); /* sums that are subnormal, and sums that are not */
        double sum = 0;
        for (uint32_t k = 0; k < n; k++) {
            const double term = flushes && fabs(x[k]) < 0x1p-1022 ? copysign(0, x[k]) : x[k];
            sum += term;
            expected[k] = sum = flushes && fabs(sum) < 0x1p-1022 ? copysign(0, sum) : sum;
        }
        run(DOUBLE, &numerics, false, n);
        if (!blocked) {
            expect_outputs(expected, n);
            continue;
        }
        scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT64, n);
        assert_int_equal(cumsum_judge(&c.desc, x, n * sizeof *x, y, n * sizeof *y, &options, NULL,
                                      &judgement, NULL),
                         CUMSUM_OK);
        assert_int_equal(judgement.match_count, 1);
        assert_int_equal(judgement.matches[0].order, CUMSUM_NAMED_BLOCKED);
        assert_int_equal(judgement.matches[0].denormals, flushes);
    }
}

static void expect_status(const scan_case *c, cumsum_status status) {
    cumsum_plan *plan = NULL;
    assert_int_equal(cumsum_plan_create(&c->desc, &c->options, &plan, NULL), status);
    cumsum_plan_destroy(plan);
}

static void test_what_float64_does_not_have(void) {
    scan_case c;
    cumsum_plan *plan = NULL;
    cumsum_carry *carry = NULL;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT64, 4);
    assert_int_equal(cumsum_validate(&c.desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL),
                     CUMSUM_INVALID_DESCRIPTOR);
    c.options.feature_level = CUMSUM_FEATURE_LEVEL_5_0;
    expect_status(&c, CUMSUM_INVALID_DESCRIPTOR);
    c.options.feature_level = CUMSUM_FEATURE_LEVEL_DEFAULT;
    for (int kernel = CUMSUM_KERNEL_PORTABLE; kernel <= CUMSUM_KERNEL_NEON; kernel++) {
        c.options.kernel = (cumsum_kernel)kernel;
        expect_status(&c, CUMSUM_UNSUPPORTED);
    }
    c.options.kernel = CUMSUM_KERNEL_REFERENCE;
    assert_int_equal(cumsum_plan_create(&c.desc, &c.options, &plan, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_carry_create(plan, &carry, NULL), CUMSUM_UNSUPPORTED);
    assert_int_equal(cumsum_carry_create_total(plan, 0, &carry, NULL), CUMSUM_UNSUPPORTED);
    assert_int_equal(cumsum_carry_load(plan, x, sizeof x, &carry, NULL), CUMSUM_UNSUPPORTED);
    cumsum_plan_destroy(plan);
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_INT8, 4); /* and no other type is let in */
    expect_status(&c, CUMSUM_INVALID_DESCRIPTOR);
}

CHECK_GROUP(test_reference, T(test_lines_by_hand), T(test_every_short_length), T(test_flushing),
            T(test_halves), T(test_exact_sums), T(test_float64),
            T(test_what_float64_does_not_have));
