/* SPDX-License-Identifier: MIT */
/*
 * The orders of sums: they are evaluated level by level, and a tree is named by evaluating levels
 * on the numbers of its nodes, with an addition that knows only those of the tree.
 */
#include <math.h>
#include <string.h>

#include "order_scan.h"

typedef struct total_sums {
    cumsum_addition *add;
    void *context;
    bool known_only; /* a NaN is an addition that the tree does not have: the level ends there */
} total_sums;

static double add_two(const total_sums *s, double a, double b) {
    return s->add(s->context, a, b);
}

/* Adds every unit that is `step` places further on to the first. */
static double strided_total(const total_sums *s, const double *v, uint64_t n, uint64_t step) {
    double sum = v[0];
    for (uint64_t i = step; i < n; i += step)
        sum = add_two(s, sum, v[i]);
    return sum;
}

static double right_to_left_total(const total_sums *s, const double *v, uint64_t n) {
    double sum = v[n - 1];
    for (uint64_t i = n - 1; i-- > 0;)
        sum = add_two(s, sum, v[i]);
    return sum;
}

static double pairwise_total(const total_sums *s, double *v, uint64_t n) {
    for (; n > 1; n = (n + 1) / 2) {
        for (uint64_t k = 0; k < n / 2; k++)
            v[k] = add_two(s, v[2 * k], v[2 * k + 1]);
        if (n % 2)
            v[n / 2] = v[n - 1];
    }
    return v[0];
}

static double halving_total(const total_sums *s, double *v, uint64_t n) {
    for (uint64_t half; n > 1; n = half) {
        half = (n + 1) / 2;
        for (uint64_t i = 0; i + half < n; i++)
            v[i] = add_two(s, v[i], v[i + half]);
    }
    return v[0];
}

/* Adds to a sum blocks of powers of 2, one for each bit, the smallest or the largest first. */
static double add_blocks(const total_sums *s, double sum, double *v, uint64_t bits,
                         bool largest_first) {
    for (uint64_t size; bits; bits -= size, v += size) {
        size = largest_first ? UINT64_C(1) << cumsum_highest_bit(bits) : bits & -bits;
        sum = add_two(s, sum, pairwise_total(s, v, size));
    }
    return sum;
}

/* Those of Hillis and Steele's scan and of Blelloch's are the last outputs. */
static double block_total(const total_sums *s, cumsum_sum_kind kind, double *v, uint64_t n) {
    const uint64_t largest = UINT64_C(1) << cumsum_highest_bit(n);
    switch (kind) {
    case CUMSUM_SUM_PAIRWISE:
        return pairwise_total(s, v, n);
    case CUMSUM_SUM_HALVING:
        return halving_total(s, v, n);
    case CUMSUM_SUM_RIGHT_TO_LEFT:
        return right_to_left_total(s, v, n);
    case CUMSUM_SUM_HILLIS_STEELE:
        return add_blocks(s, v[0], v + 1, n - 1, false);
    case CUMSUM_SUM_BLELLOCH:
        return add_blocks(s, pairwise_total(s, v, largest), v + largest, n - largest, true);
    default:
        return strided_total(s, v, n, 1);
    }
}

/* Replaces n units by the totals of a level. Returns how many there are; 0 if an addition is not
 * known. Totals are written where units have been read. */
static uint64_t level_totals(const total_sums *s, const cumsum_sum_level *level, double *v,
                             uint64_t n) {
    const uint64_t size = level->size ? level->size : n;
    uint64_t count = 0;
    for (uint64_t first = 0; first < n; first += size) {
        const uint64_t units = order_lesser(size, n - first);
        const uint64_t lanes = order_lesser(level->lanes, units);
        for (uint64_t lane = 0; lane < lanes; lane++) {
            const double sum = strided_total(s, v + first + lane, units - lane, level->lanes);
            if (s->known_only && isnan(sum))
                return 0;
            v[count++] = sum;
        }
        if (!lanes)
            v[count++] = block_total(s, level->kind, v + first, units);
        if (s->known_only && isnan(v[count - 1]))
            return 0;
    }
    return count;
}

double cumsum_sum_order_total(const cumsum_sum_order *order, double *values, uint64_t n,
                              cumsum_addition *add, void *context) {
    const total_sums s = {add, context, false};
    for (uint32_t i = 0; i < order->count; i++)
        n = level_totals(&s, &order->levels[i], values, n);
    return values[0];
}

/* ---- names of trees ---- */

/* The additions after which the search for a name ends. */
#define FIND_MOST (UINT64_C(1) << 27)

typedef struct tree_search {
    total_sums sums;
    const double *parents; /* of a node: the number of the addition that adds it, or NaN */
    uint64_t effort;
    double *room; /* the units of each level, one behind the other */
    cumsum_sum_order *found;
} tree_search;

/* The addition of two nodes, if the tree has it. */
static double known_sum(void *search, double a, double b) {
    tree_search *t = search;
    t->effort++;
    if (isnan(a) || isnan(b) || a == b)
        return NAN;
    const double parent = t->parents[(size_t)a];
    return parent == t->parents[(size_t)b] ? parent : NAN;
}

/* Evaluates a level on a copy of the units, which lies behind them. Returns how many totals there
 * are, or 0. */
static uint64_t try_level(tree_search *t, const cumsum_sum_level *level, const double *units,
                          uint64_t n) {
    double *copy = t->room + (units - t->room) + n;
    memcpy(copy, units, n * sizeof *units);
    return level_totals(&t->sums, level, copy, n);
}

static bool name_rest(tree_search *t, const double *units, uint64_t n, uint32_t levels);

/* Is this the level, with `levels` more behind it? */
static bool name_with(tree_search *t, cumsum_sum_level level, const double *units, uint64_t n,
                      uint32_t levels) {
    if (t->effort > FIND_MOST)
        return false;
    const uint64_t totals = try_level(t, &level, units, n);
    if (!totals || (levels ? !name_rest(t, units + n, totals, levels - 1) : totals != 1))
        return false;
    t->found->levels[t->found->count - 1 - levels] = level;
    return true;
}

/* The lanes of a strided level: the unit that is added to the first. 0 if none is, or the next. */
static uint32_t lanes_of(tree_search *t, const double *units, uint64_t n) {
    for (uint64_t k = 2; k < n; k++)
        if (!isnan(known_sum(t, units[0], units[k])))
            return (uint32_t)k;
    return 0;
}

/* Fills in the last `levels` + 1 levels. The calls nest once for each level.
 * NOLINTNEXTLINE(misc-no-recursion) */
static bool name_rest(tree_search *t, const double *units, uint64_t n, uint32_t levels) {
    if (levels == 0) {
        for (int k = 0; k < CUMSUM_SUM_STRIDED; k++)
            if (name_with(t, (cumsum_sum_level){.kind = (cumsum_sum_kind)k}, units, n, 0))
                return true;
        return false;
    }
    cumsum_sum_level level = {.kind = CUMSUM_SUM_STRIDED, .lanes = lanes_of(t, units, n)};
    for (uint64_t size = n; level.lanes && size > level.lanes; size--) {
        level.size = size == n ? 0 : (uint32_t)size;
        if (name_with(t, level, units, n, levels))
            return true;
    }
    level.lanes = 0;
    for (level.size = 2; level.size < n; level.size++)
        for (int k = 0; k < CUMSUM_SUM_STRIDED; k++) {
            level.kind = (cumsum_sum_kind)k;
            if (name_with(t, level, units, n, levels))
                return true;
        }
    return false;
}

/* Notes which addition adds each node. False if the additions are no tree. */
static bool take_parents(uint32_t n, const uint32_t *sums, double *parents) {
    const uint64_t nodes = 2 * (uint64_t)n - 1;
    for (uint64_t node = 0; node < nodes; node++)
        parents[node] = NAN;
    for (uint64_t k = 0; k + 1 < n; k++)
        for (int side = 0; side < 2; side++) {
            const uint32_t node = sums[2 * k + (uint64_t)side];
            if (node >= n + k || !isnan(parents[node]))
                return false;
            parents[node] = (double)(n + k);
        }
    return true;
}

bool cumsum_sum_order_find(uint32_t n, const uint32_t *sums, double *scratch,
                           cumsum_sum_order *found) {
    cumsum_sum_order order = {0};
    double *units = scratch + 2 * (size_t)n;
    tree_search t = {.parents = scratch, .room = units, .found = &order};
    t.sums = (total_sums){known_sum, &t, true};
    if (n == 0 || !take_parents(n, sums, scratch))
        return false;
    for (uint32_t i = 0; i < n; i++)
        units[i] = i;
    for (uint32_t levels = 0; levels < CUMSUM_ORDER_LEVELS; levels++) {
        order.count = levels + 1;
        if (name_rest(&t, units, n, levels)) {
            *found = order;
            return true;
        }
    }
    return false;
}
