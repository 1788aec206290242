/* SPDX-License-Identifier: MIT */
/*
 * Scans of a line in memory, level by level. Every addition is the caller's, which alone rounds.
 * An order that is not the device's own usually differs in the first line, so this is the plainest
 * form.
 */
#include "order_scan.h"

/* Where sums are made, and what they are made by. */
typedef struct scan_sums {
    cumsum_addition *add;
    void *context;
    bool floats; /* they are those of binary32, and need no call */
} scan_sums;

static double sum_of(const scan_sums *s, double a, double b) {
    return s->floats ? (double)((float)a + (float)b) : s->add(s->context, a, b);
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static void sequential(const scan_sums *s, double *v, uint64_t n) {
    for (uint64_t i = 1; i < n; i++)
        v[i] = sum_of(s, v[i - 1], v[i]);
}

/* Each step adds the element `distance` places before. It runs from the end, so that the element it
 * reads has not been written in this step. */
static void hillis_steele(const scan_sums *s, double *v, uint64_t n) {
    for (uint64_t distance = 1; distance < n; distance *= 2)
        for (uint64_t i = n; i-- > distance;)
            v[i] = sum_of(s, v[i - distance], v[i]);
}

/* After the step of width w, v[i] holds the sum from the start of its aligned group of 2w elements.
 * A step reads elements whose index has bit w clear and writes the others, so it may run in place.
 */
static void sklansky(const scan_sums *s, double *v, uint64_t n) {
    for (uint64_t w = 1; w < n; w *= 2)
        for (uint64_t i = w; i < n; i++)
            if (i & w)
                v[i] = sum_of(s, v[(i | (w - 1)) ^ w], v[i]);
}

/*
 * After the up-sweep v[j - 1] holds the total of the largest aligned block that ends at j. The
 * down-sweep of the algorithm gives a prefix of k elements as the sum of its aligned blocks, one
 * for each bit of k, added from the left; here that sum is formed directly. It runs from the end,
 * so that the blocks to the left still hold totals.
 */
static void blelloch(const scan_sums *s, double *v, uint64_t n) {
    uint64_t top = 1;
    for (; top <= n / 2; top *= 2)
        for (uint64_t end = 2 * top; end <= n; end += 2 * top)
            v[end - 1] = sum_of(s, v[end - 1 - top], v[end - 1]);
    for (uint64_t k = n; k > 0; k--) {
        while (top > k)
            top /= 2;
        uint64_t end = top;
        double sum = v[top - 1];
        for (uint64_t bit = top / 2; bit; bit /= 2)
            if (k & bit) {
                end += bit;
                sum = sum_of(s, sum, v[end - 1]);
            }
        v[k - 1] = sum;
    }
}

static void right_to_left(const scan_sums *s, double *v, uint64_t n) {
    for (uint64_t k = n; k-- > 0;) {
        double sum = v[k];
        for (uint64_t i = k; i-- > 0;)
            sum = sum_of(s, sum, v[i]);
        v[k] = sum;
    }
}

/* Moves inclusive sums one place on. */
static void make_exclusive(double *v, uint64_t n) {
    for (uint64_t i = n; i-- > 1;)
        v[i] = v[i - 1];
    if (n)
        v[0] = 0;
}

/* The blocked order: tiles of 64 blocks of 16, whose totals are scanned in the same order. */
static const cumsum_order_level tiles[] = {{CUMSUM_KIND_SKLANSKY, 16, 0, 0},
                                           {CUMSUM_KIND_SEQUENTIAL, 64, 0, 0},
                                           {CUMSUM_KIND_BLOCKED, 0, 0, 0}};

/* Blocks of levels, the last one of which is a level. */
typedef struct block_list {
    const cumsum_order_level *first;
    const cumsum_order_level *last;
    unsigned entered; /* of the parentheses in front of the first level: those that enclose more
                         than the first block */
} block_list;

static double scan_list(const scan_sums *s, block_list list, const double *first, double *v,
                        uint64_t n, bool exclusive, double *scratch);

/* A scan without levels; returns the total. */
static double scan_kind(const scan_sums *s, cumsum_order_kind kind, double *v, uint64_t n,
                        bool exclusive, double *scratch) {
    switch (kind) {
    case CUMSUM_KIND_BLOCKED:
        if (n > 1) /* NOLINTNEXTLINE(misc-no-recursion): each call has 1/1024 of the elements */
            scan_list(s, (block_list){tiles, tiles + 2, 0}, NULL, v, n, false, scratch);
        break;
    case CUMSUM_KIND_HILLIS_STEELE:
        hillis_steele(s, v, n);
        break;
    case CUMSUM_KIND_SKLANSKY:
        sklansky(s, v, n);
        break;
    case CUMSUM_KIND_BLELLOCH:
        blelloch(s, v, n);
        break;
    case CUMSUM_KIND_RIGHT_TO_LEFT:
        right_to_left(s, v, n);
        break;
    default:
        sequential(s, v, n);
        break;
    }
    const double total = v[n - 1];
    if (exclusive)
        make_exclusive(v, n);
    return total;
}

/* The total of a thread's elements. */
static double thread_total(const scan_sums *s, const double *v, uint64_t n) {
    double total = v[0];
    for (uint64_t i = 1; i < n; i++)
        total = sum_of(s, total, v[i]);
    return total;
}

/* A thread's elements, from its carry-in on; the first thread has none. */
static void add_one_by_one(const scan_sums *s, double *v, uint64_t n, const double *before,
                           bool exclusive) {
    double sum = before ? sum_of(s, *before, v[0]) : v[0];
    v[0] = !exclusive ? sum : before ? *before : 0;
    for (uint64_t i = 1; i < n; i++) {
        const double next = sum_of(s, sum, v[i]);
        v[i] = exclusive ? sum : next;
        sum = next;
    }
}

/* Adds the carry-in to the scan of a block, which is not the first. */
static void add_to_all(const scan_sums *s, double *v, uint64_t n, double before, bool exclusive) {
    for (uint64_t i = exclusive; i < n; i++)
        v[i] = sum_of(s, before, v[i]);
    if (exclusive)
        v[0] = before;
}

/* The last level of the first block. */
static const cumsum_order_level *end_of_block(block_list list) {
    const cumsum_order_level *end = list.first;
    unsigned open = end->open - list.entered;
    while (open > end->close) {
        open -= end->close;
        open += (++end)->open;
    }
    return end;
}

/* Scans blocks of elements, each on its own, then their totals by the other levels of the list, and
 * adds to each block its carry-in. Returns the total.
 * first: NULL, or the total of one unit of the last level in front of the elements, which is not in
 * v. Then the list has several levels, or v has room for one element in front.
 * NOLINTNEXTLINE(misc-no-recursion): a part of the levels, or 1/1024 of the elements */
static double scan_list(const scan_sums *s, block_list list, const double *first, double *v,
                        uint64_t n, bool exclusive, double *scratch) {
    const cumsum_order_level *level = list.first, *end = end_of_block(list);
    const block_list within = {level, end, list.entered + 1}, behind = {end + 1, list.last, 0};
    const bool coarse = level == end && level->kind == CUMSUM_KIND_COARSE;
    if (end == list.last && first)
        *--v = *first;
    if (end == list.last)
        return scan_kind(s, level->kind, v, n + (first != NULL), exclusive, scratch);
    uint64_t size = 1, count = 0;
    for (const cumsum_order_level *l = level; l <= end; l++)
        size *= l->size;
    double *totals = scratch + 1;
    scratch = totals + (n + size - 1) / size;
    for (uint64_t k = 0; k < n; k += size) {
        const uint64_t length = smaller(size, n - k);
        totals[count++] = coarse ? thread_total(s, v + k, length)
                          : level == end
                              ? scan_kind(s, level->kind, v + k, length, exclusive, scratch)
                              : scan_list(s, within, NULL, v + k, length, exclusive, scratch);
    }
    const double total = scan_list(s, behind, first, totals, count, true, scratch);
    for (uint64_t k = 0, b = 0; k < n; k += size, b++) {
        const uint64_t length = smaller(size, n - k);
        const bool carried = b || first;
        if (coarse)
            add_one_by_one(s, v + k, length, carried ? totals + b : NULL, exclusive);
        else if (carried)
            add_to_all(s, v + k, length, totals[b], exclusive);
    }
    return total;
}

/* The totals of the first level are at most (n + size - 1) / size. Those of all levels behind it,
 * each of which halves them at least, are as many and one for each level. In front of those of each
 * level is room for one more. Totals within parentheses are those of one block, which is a half of
 * the elements at most, or there is only one. */
uint64_t cumsum_order_scratch(const cumsum_composed_order *order, uint64_t n) {
    uint64_t size = order->levels[0].size;
    if (!size)
        size = order->levels[0].kind == CUMSUM_KIND_BLOCKED ? 16 : 0;
    return size ? 2 * (n / size + 64) : 0;
}

static block_list all_levels(const cumsum_composed_order *order) {
    return (block_list){order->levels, order->levels + order->count - 1, 0};
}

void cumsum_order_scan(const cumsum_composed_order *order, double *values, uint64_t n,
                       bool exclusive, double *scratch, cumsum_addition *add, void *context) {
    const scan_sums sums = {add, context, false};
    if (n)
        scan_list(&sums, all_levels(order), NULL, values, n, exclusive, scratch);
}

double cumsum_order_addition(void *how, double a, double b) {
    return order_add(a, b, *(const order_rounding *)how);
}

static scan_sums rounded_sums(order_rounding *how) {
    return (scan_sums){cumsum_order_addition, how, how->format->precision == 24 && !how->flush};
}

void cumsum_order_scan_behind(const cumsum_composed_order *order, const double *first,
                              double *values, uint64_t n, bool exclusive, double *scratch,
                              order_rounding how) {
    const scan_sums sums = rounded_sums(&how);
    if (n)
        scan_list(&sums, all_levels(order), first, values, n, exclusive, scratch);
}

uint64_t cumsum_order_totals(const cumsum_composed_order *order, double *values, uint64_t n,
                             double *scratch, order_rounding how) {
    const scan_sums sums = rounded_sums(&how);
    const cumsum_order_level *level = order->levels;
    for (; level->size; level++) {
        const uint64_t size = level->size;
        n /= size;
        for (uint64_t k = 0; k < n; k++)
            values[k] =
                level->kind == CUMSUM_KIND_COARSE
                    ? thread_total(&sums, values + k * size, size)
                    : scan_kind(&sums, level->kind, values + k * size, size, false, scratch);
    }
    if (n)
        scan_kind(&sums, level->kind, values, n, false, scratch);
    return n;
}
