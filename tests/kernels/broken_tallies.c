/* SPDX-License-Identifier: MIT */
/* Defects in what is added up. */
#include "broken_copy.h"

#include <stddef.h>
#include <string.h>

enum {
    BLOCK = 16
};

/* The first element behind an edge is not added yet. */
#define STALE_AT(edge)                                                                             \
    static uint64_t stale_at_##edge(const candidate_call *call, const line_walk *walk, uint64_t k, \
                                    uint64_t before, uint64_t bits) {                              \
        (void)call;                                                                                \
        (void)walk;                                                                                \
        return k > 0 && k % (edge) == 0 ? before : bits;                                           \
    }                                                                                              \
    static bool run_stale_at_##edge(candidate_call *call) {                                        \
        return run_and_damage(call, stale_at_##edge);                                              \
    }

STALE_AT(16)
STALE_AT(256)
STALE_AT(1024)
STALE_AT(4096)
STALE_AT(16384)
STALE_AT(65536)

/* The carry from the first tile of 1024 lacks that tile's last element. */
static uint64_t without_last_of_tile(const candidate_call *call, uint64_t k, uint64_t bits) {
    (void)call;
    return k == 1023 ? 0 : bits;
}

static bool run_carry_wrong(candidate_call *call) {
    return run_on_replaced_input(call, without_last_of_tile);
}

static void take_blocked(kernel_case *c) {
    if (c->numerics.order == CUMSUM_ORDER_SEQUENTIAL)
        c->numerics.order = CUMSUM_ORDER_BLOCKED;
}

static bool run_reassociated(candidate_call *call) {
    return run_changed(call, take_blocked);
}

static void take_sequential(kernel_case *c) {
    if (c->numerics.order == CUMSUM_ORDER_BLOCKED)
        c->numerics.order = CUMSUM_ORDER_SEQUENTIAL;
}

static bool run_not_blocked(candidate_call *call) {
    return run_changed(call, take_sequential);
}

static bool is_whole(const candidate_call *call, uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return call->c->type == CUMSUM_DATA_TYPE_FLOAT32 && value >= -0x1p24f && value <= 0x1p24f &&
           value == (float)(int32_t)value;
}

/* A short line of integers is taken for exact whatever they add up to. */
static bool run_exact_unproved(candidate_call *call) {
    bool whole = call->c->sizes[call->c->axis] <= 1024 && case_lines(call->c) == 1;
    line_walk walk;
    line_walk_begin(&walk, call->c);
    for (uint64_t k = 0; whole && k < call->c->sizes[call->c->axis]; k++)
        whole = is_whole(call, element_bits(call, element_at(call, &walk, CASE_INPUT, k)));
    return whole ? run_reassociated(call)
                 : candidate_run_reference(call, call->c, call->window[CASE_INPUT].tensor);
}

static uint64_t low_word(const candidate_call *call, const line_walk *walk, uint64_t k,
                         uint64_t before, uint64_t bits) {
    (void)walk;
    (void)k;
    (void)before;
    return case_element_size(call->c) == 8 ? bits & UINT32_MAX : bits;
}

static bool run_high_word_lost(candidate_call *call) {
    return run_and_damage(call, low_word);
}

static uint64_t without_carry(const candidate_call *call, const line_walk *walk, uint64_t k,
                              uint64_t before, uint64_t bits) {
    (void)walk;
    (void)k;
    const bool carried = (uint32_t)bits < (uint32_t)before;
    return case_element_size(call->c) == 8 && carried ? bits - (UINT64_C(1) << 32) : bits;
}

static bool run_word_carry_lost(candidate_call *call) {
    return run_and_damage(call, without_carry);
}

static uint64_t saturated(const candidate_call *call, const line_walk *walk, uint64_t k,
                          uint64_t before, uint64_t bits) {
    (void)walk;
    const bool wrapped = (int32_t)(uint32_t)before > 0 &&
                         (uint32_t)bits - (uint32_t)before < 1u << 31 &&
                         (int32_t)(uint32_t)bits < 0;
    return call->c->type == CUMSUM_DATA_TYPE_INT32 && k > 0 && wrapped ? INT32_MAX : bits;
}

static bool run_saturated(candidate_call *call) {
    return run_and_damage(call, saturated);
}

static bool is_nan(const candidate_call *call, uint64_t bits) {
    return (call->c->type == CUMSUM_DATA_TYPE_FLOAT32 && (bits & 0x7FFFFFFF) > 0x7F800000) ||
           (call->c->type == CUMSUM_DATA_TYPE_FLOAT16 && (bits & 0x7FFF) > 0x7C00);
}

static uint64_t nan_to_zero(const candidate_call *call, uint64_t k, uint64_t bits) {
    (void)k;
    return is_nan(call, bits) ? 0 : bits;
}

static bool run_nan_dropped(candidate_call *call) {
    return run_on_replaced_input(call, nan_to_zero);
}

static uint64_t keep_infinity(const candidate_call *call, const line_walk *walk, uint64_t k,
                              uint64_t before, uint64_t bits) {
    (void)walk;
    (void)k;
    return is_nan(call, bits) && !is_nan(call, before) ? before : bits;
}

static bool run_invalid_sum_kept(candidate_call *call) {
    return run_and_damage(call, keep_infinity);
}

/* 0 * NaN: elements behind the prefix, in the same block, are masked by a multiplication. */
static uint64_t leak(const candidate_call *call, const line_walk *walk, uint64_t k, uint64_t before,
                     uint64_t bits) {
    (void)before;
    const uint64_t length = call->c->sizes[call->c->axis];
    if (call->c->in_place || !case_is_floating(call->c))
        return bits;
    for (uint64_t later = k + 1; later < length && later % BLOCK; later++) {
        const unsigned char *element = element_at(call, walk, CASE_INPUT, later);
        if (is_nan(call, element_bits(call, element)))
            return element_bits(call, element);
    }
    return bits;
}

static bool run_later_nan_leaks(candidate_call *call) {
    return run_and_damage(call, leak);
}

static void use_float32_accumulator(kernel_case *c) {
    c->numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT32;
}

static bool run_accumulator_wide(candidate_call *call) {
    return run_changed(call, use_float32_accumulator);
}

static void use_float16_accumulator(kernel_case *c) {
    c->numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
}

static bool run_stored_fed_back(candidate_call *call) {
    return run_changed(call, use_float16_accumulator);
}

const broken_candidate broken_tallies[] = {
    {"edge-16", "element 16, 32, ... is not added yet", run_stale_at_16},
    {"edge-256", "the same at 256", run_stale_at_256},
    {"edge-1024", "the same at 1024", run_stale_at_1024},
    {"edge-4096", "the same at 4096", run_stale_at_4096},
    {"edge-16384", "the same at 16384", run_stale_at_16384},
    {"edge-65536", "the same at 65536", run_stale_at_65536},
    {"carry-wrong", "the carry of the first tile lacks an element", run_carry_wrong},
    {"reassociated", "sequential sums in the blocked order", run_reassociated},
    {"not-blocked", "blocked sums in the sequential order", run_not_blocked},
    {"exact-unproved", "integers are taken for exact whatever they sum to", run_exact_unproved},
    {"high-word-lost", "64-bit sums without their high word", run_high_word_lost},
    {"word-carry-lost", "no carry from the low word into the high one", run_word_carry_lost},
    {"saturated", "INT32 stops at its largest value", run_saturated},
    {"nan-dropped", "NaN counts as nothing", run_nan_dropped},
    {"invalid-sum-kept", "infinity minus infinity stays what it was", run_invalid_sum_kept},
    {"later-nan-leaks", "NaN behind the prefix, in the same block, is seen", run_later_nan_leaks},
    {"accumulator-wide", "the binary16 accumulator is not rounded", run_accumulator_wide},
    {"stored-fed-back", "the binary32 accumulator is rounded", run_stored_fed_back},
    {NULL, NULL, NULL}};
