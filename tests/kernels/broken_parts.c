/* SPDX-License-Identifier: MIT */
/* Defects of lines that are computed in parts: the lines are long, others are as they should be. */
#include "broken_copy.h"

#include <stddef.h>

enum {
    PART = 16384,
    LONG = 90000,
    LEVEL = 1 << 20
};

static bool is_long(const candidate_call *call) {
    return call->c->sizes[call->c->axis] > LONG;
}

static uint64_t without_end_of_part(const candidate_call *call, uint64_t k, uint64_t bits) {
    return is_long(call) && k == 4 * PART - 1 ? 0 : bits;
}

static bool run_total_short(candidate_call *call) {
    return run_on_replaced_input(call, without_end_of_part);
}

static uint64_t without_level(const candidate_call *call, uint64_t k, uint64_t bits) {
    (void)call;
    return k >= LEVEL - 1024 && k < LEVEL ? 0 : bits;
}

static bool run_level_lost(candidate_call *call) {
    return run_on_replaced_input(call, without_level);
}

/* An exclusive part begins with the last but one output of the part before it. */
static uint64_t stale_beginning(const candidate_call *call, const line_walk *walk, uint64_t k,
                                uint64_t before, uint64_t bits) {
    (void)walk;
    return is_long(call) && call->c->exclusive && k > 0 && k % PART == 0 ? before : bits;
}

static bool run_beginning_stale(candidate_call *call) {
    return run_and_damage(call, stale_beginning);
}

/* A part that no thread took. */
static uint64_t unwritten(const candidate_call *call, const line_walk *walk, uint64_t k,
                          uint64_t before, uint64_t bits) {
    (void)walk;
    (void)before;
    return is_long(call) && k / PART == 3 ? 0 : bits;
}

static bool run_part_missing(candidate_call *call) {
    return run_and_damage(call, unwritten);
}

/* What moves from part to part is rounded. */
static void round_carries(kernel_case *c) {
    if (c->sizes[c->axis] > LONG / 3 && c->numerics.order == CUMSUM_ORDER_EXACT)
        c->numerics.order = CUMSUM_ORDER_BLOCKED;
}

static bool run_exact_rounded(candidate_call *call) {
    return run_changed(call, round_carries);
}

/* The totals of parts are added up one after the other. */
static void chain_totals(kernel_case *c) {
    if (c->sizes[c->axis] > LONG && c->numerics.order == CUMSUM_ORDER_BLOCKED)
        c->numerics.order = CUMSUM_ORDER_SEQUENTIAL;
}

static bool run_totals_chained(candidate_call *call) {
    return run_changed(call, chain_totals);
}

const broken_candidate broken_parts[] = {
    {"part-total-short", "what a part adds lacks its last element", run_total_short},
    {"part-level-lost", "a tile's total is lost between two levels", run_level_lost},
    {"part-beginning-stale", "an exclusive part begins one output late", run_beginning_stale},
    {"part-missing", "a part that no thread took", run_part_missing},
    {"part-exact-rounded", "exact sums are rounded from part to part", run_exact_rounded},
    {"part-totals-chained", "the totals of parts are summed in another order", run_totals_chained},
    {NULL, NULL, NULL}};
