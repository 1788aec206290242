/* SPDX-License-Identifier: MIT */
/*
 * Verdict 3: the oracle finds each order by its name in outputs that a textbook scan computed, on
 * data for which no other order gives the same bits.
 */
#include "check.h"
#include "oracle_data.h"
#include "textbook_scans.h"

#define N 2500 /* three tiles of the blocked order, and no power of two */

/* The exact order, by the oracle's own exact sums, which test_oracle_exact holds against MPFR. */
static void scan_exact(textbook_addition *add, double *v, uint32_t n) {
    static uint64_t terms[N], sums[N];
    const real_format *f = add == add_binary64 ? &real_binary64 : &real_binary32;
    scan_case c;
    scan_case_init_line(&c, f->type, n);
    const uint64_t bytes = c.buffer[0].total_tensor_size_in_bytes;
    pack_values(f, v, n, terms);
    assert_int_equal(cumsum_exact_sums(&c.desc, terms, bytes, sums, bytes, NULL), CUMSUM_OK);
    for (uint32_t k = 0; k < n; k++)
        v[k] = f->precision == 53 ? ((const double *)sums)[k] : (double)((const float *)sums)[k];
}

static const struct {
    cumsum_named_order order;
    textbook_scan *scan;
} orders[] = {
    {CUMSUM_NAMED_SEQUENTIAL, scan_sequential},
    {CUMSUM_NAMED_BLOCKED, scan_blocked},
    {CUMSUM_NAMED_EXACT, scan_exact},
    {CUMSUM_NAMED_HILLIS_STEELE, scan_hillis_steele},
    {CUMSUM_NAMED_SKLANSKY, scan_sklansky},
    {CUMSUM_NAMED_BLELLOCH, scan_blelloch},
    {CUMSUM_NAMED_SEQUENTIAL_BINARY64, scan_binary64}, /* of FLOAT32 */
};

enum {
    ORDERS = sizeof orders / sizeof orders[0]
};

/* Terms of a type of which no short sum is exact. */
static void fill(const real_format *f, double *x, uint32_t n) {
    uint64_t state = 11;
    for (uint32_t k = 0; k < n; k++)
        x[k] = real_value(f, family_bits(f->type, DATA_SIGNED, k, &state)) *
               (double)(1u << (random_next(&state) % 12));
}

/* A line of FLOAT32 or FLOAT64, and its outputs in an order. */
typedef struct ordered_line {
    const real_format *f;
    bool exclusive;
    double x[N], y[N];
} ordered_line;

static ordered_line *order_line(const real_format *f, textbook_scan *scan, bool exclusive) {
    static ordered_line line;
    line = (ordered_line){.f = f, .exclusive = exclusive};
    fill(f, line.x, N);
    memcpy(line.y + exclusive, line.x, (N - exclusive) * sizeof line.y[0]);
    scan(f->precision == 53 ? add_binary64 : add_binary32, line.y + exclusive, N - exclusive);
    return &line;
}

static void move_output(ordered_line *line, uint32_t at, uint64_t steps) {
    line->y[at] = real_value(line->f, real_bits(line->f, line->y[at]) + steps);
}

static cumsum_judgement judge_line(const ordered_line *line, const cumsum_judge_options *options) {
    static uint64_t input[N], output[N];
    pack_values(line->f, line->x, N, input);
    pack_values(line->f, line->y, N, output);
    return judge_1d(line->f->type, N, input, output, line->exclusive, options, NULL);
}

/* With one bit changed in the last output the order is not named, but the tensor still passes. */
static void each_order_is_named(void) {
    const cumsum_judge_options options = {.all_orders = true, .no_doubt = true};
    for (size_t i = 0; i < 4 * ORDERS; i++) {
        const bool wide = i & 2;
        const cumsum_named_order order = orders[i / 4].order;
        if (wide && order == CUMSUM_NAMED_SEQUENTIAL_BINARY64)
            continue;
        ordered_line *line =
            order_line(wide ? &real_binary64 : &real_binary32, orders[i / 4].scan, i & 1);
        cumsum_judgement j = judge_line(line, &options);
        assert_true(j.pass && j.match_count);
        /* The exact sums and the binary64 running sums may round to the same bits; no other two
         * orders do here. */
        const uint32_t last = j.match_count - 1;
        assert_true(j.matches[0].order == order || j.matches[last].order == order);
        assert_int_equal(last, last > 0 && j.matches[0].order == CUMSUM_NAMED_EXACT);
        if (order == CUMSUM_NAMED_EXACT)
            assert_int_equal(j.error_class, CUMSUM_CLASS_CORRECTLY_ROUNDED);
        else if (order == CUMSUM_NAMED_SEQUENTIAL)
            assert_true(j.error_class > CUMSUM_CLASS_CORRECTLY_ROUNDED);
        move_output(line, N - 1, 1);
        j = judge_line(line, &options);
        assert_true(j.pass);
        assert_int_equal(j.match_count, 0);
    }
}

/* An order with m outputs changed, each by `by` ulp, is the nearest one. Exact sums and binary64
 * running sums are near each other. */
static void check_near(size_t order, bool exclusive, uint32_t m, uint32_t by) {
    const cumsum_judge_options options = {.near_order = true};
    const uint32_t first = N - m;
    ordered_line *line = order_line(&real_binary32, orders[order].scan, exclusive);
    for (uint32_t i = 0; i < m; i++)
        move_output(line, N - 1 - i, by);
    const cumsum_judgement j = judge_line(line, &options);
    const uint64_t actual = real_bits(line->f, line->y[first]);
    assert_int_equal(j.match_count, 0);
    if (m > N / 10) { /* more than a tenth */
        assert_int_equal(j.near.differing, 0);
        return;
    }
    assert_true(j.near.match.order == orders[order].order ||
                (orders[order].order == CUMSUM_NAMED_SEQUENTIAL_BINARY64 &&
                 j.near.match.order == CUMSUM_NAMED_EXACT));
    assert_int_equal(j.near.differing, m);
    assert_int_equal(j.near.coordinates[0], first);
    assert_int_equal(j.near.actual_bits, actual);
    assert_int_equal(j.near.expected_bits, actual - by);
    assert_int_equal(j.near.ulps, by);
}

static void nearest_order_is_found(void) {
    for (size_t i = 0; i < ORDERS; i++) {
        check_near(i, false, 1, 1);
        check_near(i, true, 1, 1 << 20);
        check_near(i, i % 2, N / 10, 3);
        check_near(i, i % 2, N / 10 + 1, 3);
    }
}

/* Without the option, for an order that gives all, and for no order at all there is no nearest. */
static void no_nearest_order(void) {
    const cumsum_judge_options options = {.near_order = true};
    ordered_line *line = order_line(&real_binary32, scan_sequential, false);
    assert_int_equal(judge_line(line, &options).near.differing, 0);
    move_output(line, N - 1, 1);
    assert_int_equal(judge_line(line, NULL).near.differing, 0);
    for (uint32_t k = 0; k < N; k++)
        move_output(line, k, 1);
    assert_int_equal(judge_line(line, &options).near.differing, 0);
}

/* Lines along the first of two dimensions: the place is the first in row-major order. */
static void nearest_order_of_lines(void) {
    enum {
        LINES = 40,
        LENGTH = 50
    };
    static double x[LENGTH * LINES], y[LENGTH * LINES];
    static float input[LENGTH * LINES], output[LENGTH * LINES];
    const uint32_t sizes[2] = {LENGTH, LINES};
    scan_case c;
    const cumsum_judge_options options = {.near_order = true};
    scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT32, 2, sizes, 0);
    fill(&real_binary32, x, LENGTH * LINES);
    for (uint32_t line = 0; line < LINES; line++) {
        double v[LENGTH];
        for (uint32_t k = 0; k < LENGTH; k++)
            v[k] = x[k * LINES + line];
        scan_sklansky(add_binary32, v, LENGTH);
        for (uint32_t k = 0; k < LENGTH; k++)
            y[k * LINES + line] = v[k];
    }
    y[30 * LINES + 7] += 1; /* its line comes first, its row last */
    y[20 * LINES + 31] += 1;
    pack_values(&real_binary32, x, LENGTH * LINES, input);
    pack_values(&real_binary32, y, LENGTH * LINES, output);
    const cumsum_judgement j = judge_scan(&c, input, output, &options, NULL);
    assert_int_equal(j.match_count, 0);
    assert_int_equal(j.near.match.order, CUMSUM_NAMED_SKLANSKY);
    assert_int_equal(j.near.differing, 2);
    assert_int_equal(j.near.coordinates[0], 20);
    assert_int_equal(j.near.coordinates[1], 31);
}

/* FLOAT16 sums, one of them 65511, which only the IEEE conversion stores as 65504, and one wrong
 * output: the near order has this store. */
static void large_sums_have_their_store(void) {
    enum {
        LENGTH = 100
    };
    uint16_t x[LENGTH], y[LENGTH];
    const cumsum_judge_options options = {.near_order = true};
    float sum = 0;
    for (int k = 0; k < LENGTH; k++) {
        const float term = k < 50 ? 655.5F : k == 50 ? 32736 : k == 51 ? -32736 : 0;
        sum += term;
        x[k] = cumsum_half_from_float(term, CUMSUM_HALF_STORE_IEEE);
        y[k] = cumsum_half_from_float(sum, CUMSUM_HALF_STORE_IEEE);
    }
    y[20] ^= 1;
    const cumsum_judgement j =
        judge_1d(CUMSUM_DATA_TYPE_FLOAT16, LENGTH, x, y, false, &options, NULL);
    assert_int_equal(j.near.differing, 1);
    assert_int_equal(j.near.match.order, CUMSUM_NAMED_SEQUENTIAL);
    assert_int_equal(j.near.match.half_store, CUMSUM_HALF_STORE_IEEE);
}

static double flushed(double value) {
    return real_is_subnormal(&real_binary32, value) ? 0 : value;
}

static double add_flushed(double a, double b) {
    return flushed(add_binary32(a, flushed(b)));
}

static void flushing_is_named(void) {
    double v[200];
    float x[200], y[200];
    uint64_t state = 5;
    for (int k = 0; k < 200; k++)
        v[k] = (double)(x[k] = family_value(DATA_SUBNORMAL, 0, &state));
    scan_sequential(add_flushed, v, 200);
    pack_values(&real_binary32, v, 200, y);
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 200, x, y, false, NULL, NULL);
    assert_true(j.pass);
    assert_true(j.counts[CUMSUM_VERDICT_CONFORMANT_FLUSH] > 0);
    assert_int_equal(j.match_count, 1);
    assert_int_equal(j.matches[0].order, CUMSUM_NAMED_SEQUENTIAL);
    assert_int_equal(j.matches[0].denormals, CUMSUM_DENORMALS_FLUSH);
}

static double add_halves(double a, double b) {
    return real_round(&real_binary16, a + b, REAL_NEAREST);
}

static double add_bfloat16s(double a, double b) {
    return real_round(&real_bfloat16, add_binary32(a, b), REAL_NEAREST);
}

/* 16 bits: the accumulator and the store are part of the name. Binary32 sums of bfloat16 numbers
 * are nearly exact: the store hides the order, so that others fit as well. */
static void half_models_are_named(void) {
    enum {
        LENGTH = 2500
    };
    static const struct {
        const real_format *format;
        textbook_addition *narrow;
        int stores;
    } types[] = {{&real_binary16, add_halves, 3}, {&real_bfloat16, add_bfloat16s, 2}};
    static uint16_t x[LENGTH], y[LENGTH];
    static double v[LENGTH];
    for (int i = 0; i < 4; i++)
        for (int store = 0; store <= types[i / 2].stores; store++) {
            const real_format *f = types[i / 2].format;
            const bool narrow = store == types[i / 2].stores, blocked = i & 1;
            const cumsum_named_order order =
                blocked ? CUMSUM_NAMED_BLOCKED : CUMSUM_NAMED_SEQUENTIAL;
            const cumsum_half_store stored = narrow ? 0 : (cumsum_half_store)store;
            uint64_t state = 9;
            for (int k = 0; k < LENGTH; k++) {
                x[k] = (uint16_t)family_bits(f->type, DATA_SIGNED, 0, &state);
                v[k] = real_value(f, x[k]);
            }
            (blocked ? scan_blocked : scan_sequential)(narrow ? types[i / 2].narrow : add_binary32,
                                                       v, LENGTH);
            for (int k = 0; k < LENGTH; k++)
                v[k] = real_store(f, v[k], stored);
            pack_values(f, v, LENGTH, y);
            const cumsum_judge_options options = {.numerics = {.half_store = stored},
                                                  .all_orders = true};
            const cumsum_judgement j = judge_1d(f->type, LENGTH, x, y, false, &options, NULL);
            uint32_t m = 0;
            while (m + 1 < j.match_count && j.matches[m].order != order)
                m++;
            assert_true(j.pass && (narrow ? j.match_count == 1 : j.match_count > 0));
            assert_int_equal(j.matches[m].order, order);
            assert_int_equal(j.matches[m].half_accumulator, narrow);
            assert_int_equal(j.matches[m].half_store, stored);
        }
}

CHECK_GROUP(test_oracle_orders, T(each_order_is_named), T(nearest_order_is_found),
            T(no_nearest_order), T(nearest_order_of_lines), T(large_sums_have_their_store),
            T(flushing_is_named), T(half_models_are_named));
