/* SPDX-License-Identifier: MIT */
/*
 * Scans of a line in memory, level by level. Each kind is written from its definition in
 * docs/oracle.md ("Verdict 3") and shares nothing with the kernels.
 *
 *     BLOCKED         this project's fixed tree: docs/numerics.md, "blocked"
 *     HILLIS_STEELE   Hillis and Steele, "Data parallel algorithms", CACM 29, 1986; the network of
 *                     Kogge and Stone (IEEE Trans. Comput. C-22, 1973) adds the same pairs
 *     SKLANSKY        Sklansky, "Conditional-sum addition logic", IRE Trans. EC-9, 1960
 *     BLELLOCH        Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990; Brent
 *                     and Kung's network (IEEE Trans. Comput. C-31, 1982) adds the same pairs
 *
 * This text is included where a type of values and their addition are defined:
 *
 *     real                    float or double
 *     SUM(a, b)               a + b, of two values or two vectors; `s` is what scan_list is given
 *     LANES                   the values of a vector. With more than 1:
 *     load_lanes, store_lanes   a vector at an address
 *     sklansky_lanes(v, size)   the rounds of less than `size` of Sklansky's network in a vector
 */
#include <string.h>

#include "order_scan.h"

static void sequential(const order_sums *s, real *v, uint64_t n) {
    for (uint64_t i = 1; i < n; i++)
        v[i] = SUM(v[i - 1], v[i]);
}

/* Each round adds the element `distance` places before. It runs from the end, so that the element
 * it reads has not been written in this round. */
static void hillis_steele(const order_sums *s, real *v, uint64_t n) {
    for (uint64_t distance = 1; distance < n; distance *= 2) {
        uint64_t end = n;
#if LANES > 1
        for (; end >= distance + LANES; end -= LANES)
            store_lanes(v + end - LANES,
                        SUM(load_lanes(v + end - LANES - distance), load_lanes(v + end - LANES)));
#endif
        for (; end > distance; end--)
            v[end - 1] = SUM(v[end - 1 - distance], v[end - 1]);
    }
}

/* The left total of each aligned group is added to all of its right half. Groups are of `size`
 * elements at most. */
static void sklansky(const order_sums *s, real *v, uint64_t n, uint64_t size) {
    uint64_t vectors = 0; /* their elements */
#if LANES > 1
    for (; vectors + LANES <= n; vectors += LANES)
        store_lanes(v + vectors, sklansky_lanes(load_lanes(v + vectors), size));
#endif
    for (uint64_t w = 1; w < n && w < size; w *= 2)
        for (uint64_t group = (w < LANES ? vectors : 0) + w; group < n; group += 2 * w) {
            const uint64_t end = order_lesser(group + w, n);
            const real left = v[group - 1];
            for (uint64_t k = group; k < end; k++)
                v[k] = SUM(left, v[k]);
        }
}

/* The up-sweep leaves the total of the largest aligned block that ends at an element. The
 * down-sweep gives a prefix as the sum of its aligned blocks, one for each bit of its length, from
 * the left: that of all but the last one, and the last one, whose size is the lowest bit. */
static void blelloch(const order_sums *s, real *v, uint64_t n) {
    for (uint64_t size = 2; size <= n; size *= 2)
        for (uint64_t end = size; end <= n; end += size)
            v[end - 1] = SUM(v[end - 1 - size / 2], v[end - 1]);
    for (uint64_t k = 1; k <= n; k++)
        if (k & (k - 1))
            v[k - 1] = SUM(v[(k & (k - 1)) - 1], v[k - 1]);
}

static void right_to_left(const order_sums *s, real *v, uint64_t n) {
    for (uint64_t k = n; k-- > 0;)
        for (uint64_t i = k; i-- > 0;)
            v[k] = SUM(v[k], v[i]);
}

static const cumsum_order_level tiles[] = {ORDER_BLOCKED_LEVELS};

/* Blocks of levels, the last one of which is a level. */
typedef struct block_list {
    const cumsum_order_level *first;
    const cumsum_order_level *last;
    unsigned entered; /* of the parentheses in front of the first level: those that enclose more
                         than the first block */
} block_list;

static real scan_list(const order_sums *s, block_list list, real *v, uint64_t n, bool exclusive,
                      real *scratch);

/* A scan without levels. */
static void scan_kind(const order_sums *s, cumsum_order_kind kind, real *v, uint64_t n,
                      real *scratch) {
    switch (kind) {
    case CUMSUM_KIND_BLOCKED:
        if (n > 1) /* NOLINTNEXTLINE(misc-no-recursion): each call has 1/1024 of the elements */
            scan_list(s, (block_list){tiles, tiles + 2, 0}, v, n, false, scratch);
        break;
    case CUMSUM_KIND_HILLIS_STEELE:
        hillis_steele(s, v, n);
        break;
    case CUMSUM_KIND_SKLANSKY:
        sklansky(s, v, n, n);
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
}

/* Moves inclusive sums one place on if the scan is exclusive. Returns the total. */
static inline real move_on(real *v, uint64_t n, real first, bool exclusive) {
    const real total = v[n - 1];
    if (exclusive) {
        memmove(v + 1, v, (n - 1) * sizeof *v);
        v[0] = first;
    }
    return total;
}

/* The total of a thread's elements. */
static real thread_total(const order_sums *s, const real *v, uint64_t n) {
    real total = v[0];
    for (uint64_t i = 1; i < n; i++)
        total = SUM(total, v[i]);
    return total;
}

/* Scans blocks of a level, each on its own. Returns how many totals they have.
 * NOLINTNEXTLINE(misc-no-recursion): blocks have no levels */
static uint64_t scan_blocks(const order_sums *s, const cumsum_order_level *level, real *v,
                            uint64_t n, bool exclusive, real *totals) {
    const uint64_t size = level->size;
    /* The groups of all blocks are aligned. */
    const bool at_once = level->kind == CUMSUM_KIND_SKLANSKY && !(size & (size - 1));
    uint64_t count = 0;
    if (at_once)
        sklansky(s, v, n, size);
    for (uint64_t k = 0; k < n; k += size) {
        const uint64_t length = order_lesser(size, n - k);
        if (level->kind == CUMSUM_KIND_COARSE) {
            totals[count++] = thread_total(s, v + k, length);
            continue;
        }
        if (!at_once)
            scan_kind(s, level->kind, v + k, length, NULL);
        totals[count++] = move_on(v + k, length, 0, exclusive);
    }
    return count;
}

/* Adds the carry-in of each block but the first: to the first element of a thread, and then the
 * thread's elements one by one; or to the scan of a block. `first`: does another block precede the
 * first one? */
static void add_carries(const order_sums *s, const cumsum_order_level *level, real *v, uint64_t n,
                        bool exclusive, const real *carries, bool first) {
    const uint64_t size = level->size;
    for (uint64_t k = 0; k < n; k += size, v += size, carries++) {
        const uint64_t length = order_lesser(size, n - k);
        const bool carried = k || first;
        const real carry = carried ? *carries : 0;
        if (level->kind == CUMSUM_KIND_COARSE) {
            v[0] = carried ? SUM(carry, v[0]) : v[0];
            sequential(s, v, length);
            move_on(v, length, carry, exclusive);
        } else if (carried) {
            uint64_t i = exclusive;
#if LANES > 1
            for (; i + LANES <= length; i += LANES)
                store_lanes(v + i, SUM(carry, load_lanes(v + i)));
#endif
            for (; i < length; i++)
                v[i] = SUM(carry, v[i]);
            v[0] = exclusive ? carry : v[0];
        }
    }
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
 * NOLINTNEXTLINE(misc-no-recursion): a part of the levels, or 1/1024 of the elements */
static real scan_list(const order_sums *s, block_list list, real *v, uint64_t n, bool exclusive,
                      real *scratch) {
    const cumsum_order_level *level = list.first, *end = end_of_block(list);
    const block_list within = {level, end, list.entered + 1}, behind = {end + 1, list.last, 0};
    if (end == list.last) {
        scan_kind(s, level->kind, v, n, scratch);
        return move_on(v, n, 0, exclusive);
    }
    cumsum_order_level all = *level; /* the blocks as those of one level */
    for (const cumsum_order_level *l = level; l < end; l++) {
        all.kind = l[1].kind; /* which is not coarse */
        all.size *= l[1].size;
    }
    const uint64_t size = all.size;
    uint64_t count = 0;
    real *totals = scratch;
    scratch += (n + size - 1) / size;
    if (level == end)
        count = scan_blocks(s, level, v, n, exclusive, totals);
    for (uint64_t k = 0; k < n && level != end; k += size)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): levels have room */
        totals[count++] =
            scan_list(s, within, v + k, order_lesser(size, n - k), exclusive, scratch);
    const real total = scan_list(s, behind, totals, count, true, scratch);
    add_carries(s, &all, v, n, exclusive, totals, false);
    return total;
}

static void scan_order(const order_sums *s, const cumsum_composed_order *order, real *v, uint64_t n,
                       bool exclusive, real *scratch) {
    const block_list levels = {order->levels, order->levels + order->count - 1, 0};
    if (n)
        scan_list(s, levels, v, n, exclusive, scratch);
}
