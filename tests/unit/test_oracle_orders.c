/* SPDX-License-Identifier: MIT */
/*
 * Verdict 3: the oracle finds each order by its name in outputs that a textbook scan computed, on
 * data for which no other order gives the same bits; and orders of levels in scans that are written
 * here as devices run them, with threads, warps and groups. tests/reject/orders.txt has names.
 */
#include "check.h"
#include "oracle_data.h"
#include "order_tools.h"
#include "textbook_scans.h"

#include <stdlib.h>

#define N    2500 /* three tiles of the blocked order, and no power of two */
#define LONG 40000

/* The exact order, by the oracle's own exact sums, which tests/anyorder holds against rationals. */
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

/* A scan of a device. */
typedef struct device_scan {
    const char *name;
    uint32_t items; /* of a thread, which adds them to its carry-in; 0: elements are scanned one by
                       one */
    textbook_scan *warp;
    uint32_t lanes;
    textbook_scan *group; /* of the warps' totals; NULL: there are no groups */
    uint32_t warps;
    bool group_first;    /* a group is finished before its carry-in is added */
    textbook_scan *grid; /* of the totals of groups, or of warps */
} device_scan;

static const device_scan scans[] = {
    {"coarse-4 of hillis-steele-256 of sequential", 4, scan_hillis_steele, 256, NULL, 0, false,
     scan_sequential},
    {"coarse-1 of blelloch-64 of sequential", 1, scan_blelloch, 64, NULL, 0, false,
     scan_sequential},
    {"coarse-15 of sklansky-8 of hillis-steele-16 of sequential", 15, scan_sklansky, 8,
     scan_hillis_steele, 16, false, scan_sequential},
    {"hillis-steele-32 of hillis-steele-8 of sequential", 0, scan_hillis_steele, 32,
     scan_hillis_steele, 8, false, scan_sequential},
    {"(hillis-steele-32 of hillis-steele-8) of sequential", 0, scan_hillis_steele, 32,
     scan_hillis_steele, 8, true, scan_sequential},
    {"(coarse-4 of sklansky-32 of sequential-4) of hillis-steele", 4, scan_sklansky, 32,
     scan_sequential, 4, true, scan_hillis_steele},
    {"sequential-1000 of sequential", 0, scan_sequential, 1000, NULL, 0, false, scan_sequential},
    {"sklansky-16 of blelloch", 0, scan_sklansky, 16, NULL, 0, false, scan_blelloch},
};
enum {
    SCANS = sizeof scans / sizeof scans[0]
};

/* What a thread or an element begins with: `sum` if there is anything before it. */
typedef struct before {
    bool any;
    double sum;
} before;

static before behind(before b, double value) {
    return (before){true, b.any ? add_binary32(b.sum, value) : value};
}

/* Scans `count` totals in blocks of `size`, each block on its own. */
static void scan_in_blocks(textbook_scan *scan, double *v, uint32_t count, uint32_t size) {
    for (uint32_t first = 0; first < count; first += size)
        scan(add_binary32, v + first, count - first < size ? count - first : size);
}

/* The last total of each block of `size`; returns how many there are. */
static uint32_t last_of_blocks(const double *v, uint32_t count, uint32_t size, double *to) {
    uint32_t blocks = 0;
    for (uint32_t first = 0; first < count; first += size)
        to[blocks++] = v[(count - first < size ? count : first + size) - 1];
    return blocks;
}

/* The carry-in of unit u within its block of `size`, whose sums are scanned in v. */
static before in_block(const double *v, uint32_t u, uint32_t size) {
    return u % size ? (before){true, v[u - 1]} : (before){0};
}

static before joined(before far, before near) {
    return near.any ? behind(far, near.sum) : far;
}

static void run_device(const device_scan *d, const double *x, double *y, uint32_t n,
                       bool exclusive) {
    static double threads[LONG], warps[LONG], groups[LONG];
    const uint32_t items = d->items ? d->items : 1;
    const uint32_t thread_count = (n + items - 1) / items;
    for (uint32_t t = 0; t < thread_count; t++) {
        threads[t] = x[t * items];
        for (uint32_t i = t * items + 1; i < (t + 1) * items && i < n; i++)
            threads[t] = add_binary32(threads[t], x[i]);
    }
    scan_in_blocks(d->warp, threads, thread_count, d->lanes);
    uint32_t grid_count = last_of_blocks(threads, thread_count, d->lanes, warps);
    if (d->group) {
        scan_in_blocks(d->group, warps, grid_count, d->warps);
        grid_count = last_of_blocks(warps, grid_count, d->warps, groups);
        d->grid(add_binary32, groups, grid_count);
    } else {
        d->grid(add_binary32, warps, grid_count);
    }
    for (uint32_t t = 0; t < thread_count; t++) {
        const uint32_t w = t / d->lanes;
        const before lane = in_block(threads, t, d->lanes);
        const before warp =
            d->group ? in_block(warps, w, d->warps) : in_block(warps, w, UINT32_MAX);
        const before group = d->group ? in_block(groups, w / d->warps, UINT32_MAX) : (before){0};
        before mine = joined(
            d->group_first ? joined(warp, lane) : joined(joined(group, warp), lane), (before){0});
        for (uint32_t i = t * items; i < (t + 1) * items && i < n; i++) {
            const before next = behind(mine, x[i]);
            if (!d->items && !exclusive) {
                /* The scan of the warp has the element already. */
                const before own = {true, threads[t]};
                const before all = d->group_first ? joined(group, joined(warp, own))
                                                  : joined(joined(group, warp), own);
                y[i] = all.sum;
            } else {
                const before shown = exclusive ? mine : next;
                const before all = d->group_first ? joined(group, shown) : shown;
                y[i] = all.any ? all.sum : 0;
            }
            mine = next;
        }
    }
}

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
    uint32_t n;
    double x[LONG], y[LONG];
} ordered_line;

static ordered_line *order_line(const real_format *f, textbook_scan *scan, bool exclusive) {
    static ordered_line line;
    line = (ordered_line){.f = f, .exclusive = exclusive, .n = N};
    fill(f, line.x, N);
    memcpy(line.y + exclusive, line.x, (N - exclusive) * sizeof line.y[0]);
    scan(f->precision == 53 ? add_binary64 : add_binary32, line.y + exclusive, N - exclusive);
    return &line;
}

/* The same of a device, of FLOAT32. */
static ordered_line *device_line(const device_scan *d, bool exclusive) {
    static ordered_line line;
    line = (ordered_line){.f = &real_binary32, .exclusive = exclusive, .n = LONG};
    fill(line.f, line.x, LONG);
    run_device(d, line.x, line.y, LONG, exclusive);
    return &line;
}

static void move_output(ordered_line *line, uint32_t at, uint64_t steps) {
    line->y[at] = real_value(line->f, real_bits(line->f, line->y[at]) + steps);
}

static cumsum_judgement judge_line(const ordered_line *line, const cumsum_judge_options *options) {
    static uint64_t input[LONG], output[LONG];
    pack_values(line->f, line->x, line->n, input);
    pack_values(line->f, line->y, line->n, output);
    return judge_1d(line->f->type, line->n, input, output, line->exclusive, options, NULL);
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

static void orders_at_the_edge_of_subnormals_and_zero(void) {
    float x[3] = {0x1p-126f, 0x1p-130f, -0x1p-130f}, y[3] = {0x1p-126f, 0x1p-126f, 0x1p-126f};
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 3, x, y, false, NULL, NULL);
    assert_int_equal(j.match_count, 1); /* the smallest normal is not flushed */
    assert_int_equal(j.matches[0].order, CUMSUM_NAMED_SEQUENTIAL);
    assert_int_equal(j.matches[0].denormals, CUMSUM_DENORMALS_FLUSH);
    float zeros[1] = {-0.0f};
    cumsum_judge_options strict = {.strict_zero = true, .all_orders = true};
    j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 1, zeros, zeros, false, &strict, NULL);
    assert_false(j.pass);
    for (uint32_t i = 0; i < j.match_count; i++) /* these start with the term, not with +0 */
        assert_true(j.matches[i].order == CUMSUM_NAMED_HILLIS_STEELE ||
                    j.matches[i].order == CUMSUM_NAMED_SKLANSKY);
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
    } types[] = {{&real_binary16, add_binary16, 3}, {&real_bfloat16, add_bfloat16, 2}};
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

/* ---- orders of levels ---- */

/* Exclusive sums of threads with one element are those of elements, and have the shorter name. */
static const char *shortest_name(const device_scan *d, bool exclusive) {
    static const char one[] = "coarse-1 of ";
    return d->name + (exclusive && !strncmp(d->name, one, strlen(one)) ? strlen(one) : 0);
}

/* With one bit changed in the last output there is no name. */
static void orders_of_levels_are_found(void) {
    const cumsum_judge_options options = {.composed_orders = true};
    for (size_t i = 0; i < 2 * SCANS; i++) {
        const bool exclusive = i & 1;
        char name[CUMSUM_ORDER_TEXT];
        ordered_line *line = device_line(&scans[i / 2], exclusive);
        const cumsum_judgement j = judge_line(line, &options);
        assert_true(j.pass);
        assert_int_equal(j.match_count, 1);
        assert_int_equal(j.matches[0].order, CUMSUM_NAMED_COMPOSED);
        cumsum_order_write(&j.matches[0].composed, name);
        assert_string_equal(name, shortest_name(&scans[i / 2], exclusive));
        if (exclusive || i / 2 >= random_trials(SCANS))
            continue;
        move_output(line, LONG - 1, 1);
        assert_int_equal(judge_line(line, &options).match_count, 0);
    }
}

/* Without the option nothing is looked for; a wanted order is compared without a search. */
static void options_are_followed(void) {
    cumsum_composed_order wanted;
    cumsum_judge_options options = {0};
    const ordered_line *line = device_line(&scans[0], false);
    assert_int_equal(judge_line(line, &options).match_count, 0);
    options.composed = &wanted;
    assert_true(cumsum_order_read(scans[0].name, &wanted));
    assert_int_equal(judge_line(line, &options).match_count, 1);
    assert_true(cumsum_order_read(scans[1].name, &wanted));
    assert_int_equal(judge_line(line, &options).match_count, 0);
}

/* FLOAT16 from binary32 sums: an order fits with the store that made the outputs, no other. */
static void store_is_part_of_the_match(void) {
    enum {
        LENGTH = 8000 /* sums below 65504 */
    };
    static double v[LENGTH], sums[LENGTH], outputs[LENGTH];
    static uint16_t x[LENGTH], y[LENGTH];
    cumsum_composed_order wanted;
    uint64_t state = 4;
    assert_true(cumsum_order_read(scans[0].name, &wanted));
    for (uint32_t k = 0; k < LENGTH; k++)
        v[k] = real_value(&real_binary16,
                          family_bits(CUMSUM_DATA_TYPE_FLOAT16, DATA_UNIFORM, k, &state));
    pack_values(&real_binary16, v, LENGTH, x);
    run_device(&scans[0], v, sums, LENGTH, false);
    for (int store = 0; store < 3; store++) {
        for (uint32_t k = 0; k < LENGTH; k++)
            outputs[k] = real_store(&real_binary16, sums[k], (cumsum_half_store)store);
        pack_values(&real_binary16, outputs, LENGTH, y);
        /* IEEE's store differs from the one to nearest even only beyond the largest number. */
        const cumsum_judge_options options = {.composed = &wanted,
                                              .numerics = {.half_store = (cumsum_half_store)store}};
        const cumsum_judgement j =
            judge_1d(CUMSUM_DATA_TYPE_FLOAT16, LENGTH, x, y, false, &options, NULL);
        assert_true(j.pass && j.match_count);
        const cumsum_order_match *match = &j.matches[j.match_count - 1];
        assert_int_equal(match->order, CUMSUM_NAMED_COMPOSED);
        assert_int_equal(match->half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT32);
        assert_int_equal(match->half_store, store);
    }
}

/* Many lines: the order is found in one, and all have to have it. */
static void every_line_counts(void) {
    enum {
        LINES = 30,
        LENGTH = 1200
    };
    static double x[LINES * LENGTH], y[LINES * LENGTH];
    static float input[LINES * LENGTH], output[LINES * LENGTH];
    const uint32_t sizes[2] = {LINES, LENGTH};
    const cumsum_judge_options options = {.composed_orders = true};
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT32, 2, sizes, 1);
    fill(&real_binary32, x, LINES * LENGTH);
    memset(x, 0, sizeof *x * LENGTH); /* in the first line every order is right */
    for (uint32_t line = 0; line < LINES; line++)
        run_device(&scans[0], x + line * LENGTH, y + line * LENGTH, LENGTH, false);
    for (int other = 0; other < 2; other++) {
        double *seventh = y + 7 * LENGTH;
        memcpy(seventh, x + 7 * LENGTH, LENGTH * sizeof *x);
        if (other)
            scan_sequential(add_binary32, seventh, LENGTH);
        else
            run_device(&scans[0], x + 7 * LENGTH, seventh, LENGTH, false);
        pack_values(&real_binary32, x, LINES * LENGTH, input);
        pack_values(&real_binary32, y, LINES * LENGTH, output);
        const cumsum_judgement j = judge_scan(&c, input, output, &options, NULL);
        assert_true(j.pass);
        assert_int_equal(j.match_count, !other);
    }
}

/* Levels of the blocked order have its bits, and scratch of the size that is asked for suffices. */
static double add_floats(void *context, double a, double b) {
    (void)context;
    return add_binary32(a, b);
}

static void levels_make_the_blocked_order(void) {
    static double x[LONG], y[LONG];
    cumsum_composed_order order;
    fill(&real_binary32, x, LONG);
    memcpy(y, x, sizeof y);
    scan_blocked(add_binary32, y, LONG);
    assert_true(cumsum_order_read("sklansky-16 of sequential-64 of blocked", &order));
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        const uint64_t room = cumsum_order_scratch(&order, LONG);
        double *v = malloc((LONG + room) * sizeof *v); /* sanitizers see what lies behind it */
        assert_non_null(v);
        memcpy(v, x, sizeof x);
        cumsum_order_scan(&order, v, LONG, exclusive, v + LONG, add_floats, NULL);
        if (!exclusive)
            assert_memory_equal(v, y, sizeof y);
        free(v);
    }
}

CHECK_GROUP(test_oracle_orders, T(each_order_is_named), T(nearest_order_is_found),
            T(no_nearest_order), T(nearest_order_of_lines), T(large_sums_have_their_store),
            T(flushing_is_named), T(orders_at_the_edge_of_subnormals_and_zero),
            T(half_models_are_named), T(orders_of_levels_are_found), T(options_are_followed),
            T(store_is_part_of_the_match), T(every_line_counts), T(levels_make_the_blocked_order));
