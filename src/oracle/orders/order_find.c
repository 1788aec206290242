/* SPDX-License-Identifier: MIT */
/*
 * Looks for an order by its levels. A level without a size has the right outputs as far as its
 * first block reaches, and mostly ends soon behind it. So the levels are found one after the other:
 * the kinds that reach farthest are given a size, and another kind behind it.
 */
#include <string.h>

#include "order_scan.h"

#define MOST_ITEMS 32 /* of a thread */
#define KEPT       8  /* orders whose next level is looked for */

typedef struct attempt {
    cumsum_composed_order order;
    uint64_t right; /* outputs */
} attempt;

typedef struct order_finder {
    uint64_t n;
    cumsum_order_trial *trial;
    void *context;
    attempt best[KEPT]; /* those with most right outputs first */
    size_t count;
    uint64_t effort;  /* that is left: right outputs of all attempts */
    uint64_t shortly; /* sizes that end before the first wrong output, beside powers of two */
    cumsum_composed_order *found;
} order_finder;

/* The kinds of levels, but for coarse ones. */
static const cumsum_order_kind kinds[] = {CUMSUM_KIND_SEQUENTIAL, CUMSUM_KIND_HILLIS_STEELE,
                                          CUMSUM_KIND_SKLANSKY, CUMSUM_KIND_BLELLOCH};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* A few outputs are tried first, which another order seldom has right. */
static uint64_t right_outputs(const order_finder *f, const cumsum_composed_order *order) {
    for (uint64_t part = 16; part < f->n; part *= 4) {
        const uint64_t right = f->trial(f->context, order, part);
        if (right < part)
            return right;
    }
    return f->trial(f->context, order, f->n);
}

static bool try_levels(order_finder *f, const cumsum_composed_order *order) {
    if (!f->effort)
        return false;
    const attempt a = {*order, right_outputs(f, order)};
    f->effort -= order_lesser(f->effort, a.right + 1);
    if (a.right >= f->n) {
        *f->found = *order;
        return true;
    }
    size_t at = f->count;
    while (at && f->best[at - 1].right < a.right)
        at--;
    if (at == KEPT)
        return false;
    f->count += f->count < KEPT;
    memmove(f->best + at + 1, f->best + at, (f->count - at - 1) * sizeof a);
    f->best[at] = a;
    return false;
}

static bool try_first_levels(order_finder *f) {
    for (uint32_t items = 0; items <= MOST_ITEMS; items++)
        for (size_t k = 0; k < KINDS; k++) {
            cumsum_composed_order o = {.count = 1 + (items != 0)};
            if (items)
                o.levels[0] = (cumsum_order_level){CUMSUM_KIND_COARSE, items, 0, 0};
            o.levels[o.count - 1].kind = kinds[k];
            if (try_levels(f, &o))
                return true;
        }
    return false;
}

/* Encloses the levels from `first` to the last but one in parentheses; false if that would cross
 * others. */
static bool enclose(cumsum_composed_order *order, uint32_t first) {
    const uint32_t end = order->count - 2;
    uint32_t open = 0;
    for (uint32_t i = first; i < end; i++) {
        open += order->levels[i].open;
        if (open < order->levels[i].close)
            return false;
        open -= order->levels[i].close;
    }
    order->levels[first].open++;
    order->levels[end].close = 1;
    return open == 0;
}

/* Gives the last level a size, and tries each kind behind it: the carry-in of a block is added
 * level by level, or after some levels were finished. */
static bool try_size(order_finder *f, const cumsum_composed_order *order, uint32_t size) {
    const uint32_t last = order->count;
    for (uint32_t first = 0; first < last; first++)
        for (size_t k = 0; k < KINDS; k++) {
            cumsum_composed_order o = *order;
            o.levels[last - 1].size = size;
            o.levels[last].kind = kinds[k];
            o.count++;
            if ((first + 1 == last || enclose(&o, first)) && try_levels(f, &o))
                return true;
        }
    return false;
}

static bool try_next_level(order_finder *f, const attempt *a) {
    uint64_t unit = 1;
    for (uint32_t i = 0; i + 1 < a->order.count; i++)
        unit *= a->order.levels[i].size;
    const uint64_t most = a->right / unit < INT32_MAX / unit ? a->right / unit : INT32_MAX / unit;
    for (uint64_t size = most; size >= 2 && size + f->shortly > most; size--)
        if (try_size(f, &a->order, (uint32_t)size))
            return true;
    for (uint64_t size = 2; size + f->shortly <= most; size *= 2)
        if (try_size(f, &a->order, (uint32_t)size))
            return true;
    return false;
}

static bool find_levels(order_finder *f) {
    f->count = 0;
    if (try_first_levels(f))
        return true;
    for (uint32_t levels = 2; levels <= CUMSUM_ORDER_LEVELS && f->count; levels++) {
        attempt before[KEPT];
        const size_t count = f->count;
        memcpy(before, f->best, sizeof before);
        f->count = 0;
        for (size_t i = 0; i < count; i++)
            if (before[i].order.count < CUMSUM_ORDER_LEVELS && try_next_level(f, &before[i]))
                return true;
    }
    return false;
}

/* Most blocks end few elements before the first wrong output, but rounding to 16 bits hides the
 * first ones. */
bool cumsum_order_find(uint64_t n, uint64_t effort, cumsum_order_trial *right, void *context,
                       cumsum_composed_order *found) {
    order_finder f = {.n = n,
                      .trial = right,
                      .context = context,
                      .effort = effort,
                      .found = found,
                      .shortly = 16};
    if (find_levels(&f))
        return true;
    f.shortly = 256;
    return find_levels(&f);
}
