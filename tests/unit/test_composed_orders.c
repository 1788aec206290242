/* SPDX-License-Identifier: MIT */
/*
 * Orders of levels: the oracle finds them by name in the outputs of scans that are written here as
 * devices run them, with threads, warps and groups. tests/reject/orders.txt has names.
 */
#include "check.h"
#include "oracle_data.h"
#include "order_tools.h"
#include "textbook_scans.h"

#include <stdlib.h>

#define MOST 40000

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
#define SCANS (sizeof scans / sizeof scans[0])

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

static void run_device(const device_scan *d, const float *x, float *y, uint32_t n, bool exclusive) {
    static double threads[MOST], warps[MOST], groups[MOST];
    const uint32_t items = d->items ? d->items : 1;
    const uint32_t thread_count = (n + items - 1) / items;
    for (uint32_t t = 0; t < thread_count; t++) {
        threads[t] = (double)x[t * items];
        for (uint32_t i = t * items + 1; i < (t + 1) * items && i < n; i++)
            threads[t] = add_binary32(threads[t], (double)x[i]);
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
            const before next = behind(mine, (double)x[i]);
            if (!d->items && !exclusive) {
                /* The scan of the warp has the element already. */
                const before own = {true, threads[t]};
                const before all = d->group_first ? joined(group, joined(warp, own))
                                                  : joined(joined(group, warp), own);
                y[i] = (float)all.sum;
            } else {
                const before shown = exclusive ? mine : next;
                const before all = d->group_first ? joined(group, shown) : shown;
                y[i] = all.any ? (float)all.sum : 0;
            }
            mine = next;
        }
    }
}

static void fill_line(float *x, uint32_t n, uint64_t seed) {
    uint64_t state = seed;
    for (uint32_t k = 0; k < n; k++)
        x[k] = family_value(DATA_SIGNED, k, &state);
}

static cumsum_judgement judge_composed(const float *x, const float *y, uint32_t n, bool exclusive) {
    const cumsum_judge_options options = {.composed_orders = true};
    return judge_1d(CUMSUM_DATA_TYPE_FLOAT32, n, x, y, exclusive, &options, NULL);
}

/* Exclusive sums of threads with one element are those of elements, and have the shorter name. */
static const char *shortest_name(const device_scan *d, bool exclusive) {
    static const char one[] = "coarse-1 of ";
    return d->name + (exclusive && !strncmp(d->name, one, strlen(one)) ? strlen(one) : 0);
}

static void orders_are_found(void) {
    static float x[MOST], y[MOST];
    for (size_t i = 0; i < SCANS; i++)
        for (int exclusive = 0; exclusive < 2; exclusive++) {
            char name[CUMSUM_ORDER_TEXT];
            fill_line(x, MOST, 3 + i);
            run_device(&scans[i], x, y, MOST, exclusive);
            const cumsum_judgement j = judge_composed(x, y, MOST, exclusive);
            assert_true(j.pass);
            assert_int_equal(j.match_count, 1);
            assert_int_equal(j.matches[0].order, CUMSUM_NAMED_COMPOSED);
            cumsum_order_write(&j.matches[0].composed, name);
            assert_string_equal(name, shortest_name(&scans[i], exclusive));
        }
}

/* One bit in the last output, a carry that is added twice, or another order in one line: no name.
 */
static void wrong_outputs_have_no_name(void) {
    static float x[MOST], y[MOST];
    for (size_t i = 0; i < random_trials(SCANS); i++) {
        fill_line(x, MOST, 3 + i);
        run_device(&scans[i], x, y, MOST, false);
        y[MOST - 1] = float_of(bits_of(y[MOST - 1]) ^ 1);
        assert_int_equal(judge_composed(x, y, MOST, false).match_count, 0);
    }
}

/* Without the option nothing is looked for; a wanted order is compared without a search. */
static void options_are_followed(void) {
    static float x[MOST], y[MOST];
    cumsum_composed_order wanted;
    cumsum_judge_options options = {0};
    fill_line(x, MOST, 1);
    run_device(&scans[0], x, y, MOST, false);
    assert_int_equal(
        judge_1d(CUMSUM_DATA_TYPE_FLOAT32, MOST, x, y, false, &options, NULL).match_count, 0);
    options.composed = &wanted;
    assert_true(cumsum_order_read(scans[0].name, &wanted));
    assert_int_equal(
        judge_1d(CUMSUM_DATA_TYPE_FLOAT32, MOST, x, y, false, &options, NULL).match_count, 1);
    assert_true(cumsum_order_read(scans[1].name, &wanted));
    assert_int_equal(
        judge_1d(CUMSUM_DATA_TYPE_FLOAT32, MOST, x, y, false, &options, NULL).match_count, 0);
}

/* FLOAT16 from binary32 sums: an order fits with the store that made the outputs, no other. */
static void store_is_part_of_the_match(void) {
    enum {
        LENGTH = 8000 /* sums below 65504 */
    };
    static float v[LENGTH], sums[LENGTH];
    static uint16_t x[LENGTH], y[LENGTH];
    cumsum_composed_order wanted;
    uint64_t state = 4;
    assert_true(cumsum_order_read(scans[0].name, &wanted));
    for (uint32_t k = 0; k < LENGTH; k++) {
        x[k] = (uint16_t)family_bits(CUMSUM_DATA_TYPE_FLOAT16, DATA_UNIFORM, k, &state);
        v[k] = cumsum_half_to_float(x[k]);
    }
    run_device(&scans[0], v, sums, LENGTH, false);
    for (int store = 0; store < 3; store++) {
        for (uint32_t k = 0; k < LENGTH; k++)
            y[k] = cumsum_half_from_float(sums[k], (cumsum_half_store)store);
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
    static float x[LINES * LENGTH], y[LINES * LENGTH];
    const uint32_t sizes[2] = {LINES, LENGTH};
    scan_case c;
    const cumsum_judge_options options = {.composed_orders = true};
    scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT32, 2, sizes, 1);
    fill_line(x, LINES * LENGTH, 8);
    memset(x, 0, sizeof *x * LENGTH); /* in the first line every order is right */
    for (uint32_t line = 0; line < LINES; line++)
        run_device(&scans[0], x + line * LENGTH, y + line * LENGTH, LENGTH, false);
    cumsum_judgement j = judge_scan(&c, x, y, &options, NULL);
    assert_int_equal(j.match_count, 1);
    y[7 * LENGTH] = x[7 * LENGTH];
    for (uint32_t k = 7 * LENGTH + 1; k < 8 * LENGTH; k++) /* one by one */
        y[k] = y[k - 1] + x[k];
    j = judge_scan(&c, x, y, &options, NULL);
    assert_true(j.pass);
    assert_int_equal(j.match_count, 0);
}

/* Levels of the blocked order have its bits, and scratch of the size that is asked for suffices. */
static double add_floats(void *context, double a, double b) {
    (void)context;
    return add_binary32(a, b);
}

static void levels_make_the_blocked_order(void) {
    static float x[MOST];
    static double y[MOST];
    cumsum_composed_order order;
    fill_line(x, MOST, 2);
    for (uint32_t k = 0; k < MOST; k++)
        y[k] = (double)x[k];
    scan_blocked(add_binary32, y, MOST);
    assert_true(cumsum_order_read("sklansky-16 of sequential-64 of blocked", &order));
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        const uint64_t room = cumsum_order_scratch(&order, MOST);
        double *v = malloc((MOST + room) * sizeof *v); /* sanitizers see what lies behind it */
        assert_non_null(v);
        for (uint32_t k = 0; k < MOST; k++)
            v[k] = (double)x[k];
        cumsum_order_scan(&order, v, MOST, exclusive, v + MOST, add_floats, NULL);
        for (uint32_t k = 0; !exclusive && k < MOST; k++)
            assert_true(v[k] == y[k]);
        free(v);
    }
}

CHECK_GROUP(test_composed_orders, T(orders_are_found), T(wrong_outputs_have_no_name),
            T(options_are_followed), T(store_is_part_of_the_match), T(every_line_counts),
            T(levels_make_the_blocked_order));
