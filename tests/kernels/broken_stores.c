/* SPDX-License-Identifier: MIT */
/* Defects in how sums become outputs: rounding, overflow, subnormals, signs of zero. */
#include "broken_copy.h"
#include "caller_mode.h"

#include <stddef.h>

static void truncate_nearest(kernel_case *c) {
    if (c->numerics.half_store == CUMSUM_HALF_STORE_NEAREST_EVEN)
        c->numerics.half_store = CUMSUM_HALF_STORE_TOWARD_ZERO;
}

static bool run_store_truncates(candidate_call *call) {
    return run_changed(call, truncate_nearest);
}

static void round_truncating(kernel_case *c) {
    if (c->numerics.half_store == CUMSUM_HALF_STORE_TOWARD_ZERO)
        c->numerics.half_store = CUMSUM_HALF_STORE_NEAREST_EVEN;
}

static bool run_store_rounds(candidate_call *call) {
    return run_changed(call, round_truncating);
}

static void late_overflow(kernel_case *c) {
    if (c->numerics.half_store == CUMSUM_HALF_STORE_NEAREST_EVEN)
        c->numerics.half_store = CUMSUM_HALF_STORE_IEEE;
}

static bool run_overflow_late(candidate_call *call) {
    return run_changed(call, late_overflow);
}

static void early_overflow(kernel_case *c) {
    if (c->numerics.half_store == CUMSUM_HALF_STORE_IEEE)
        c->numerics.half_store = CUMSUM_HALF_STORE_NEAREST_EVEN;
}

static bool run_overflow_early(candidate_call *call) {
    return run_changed(call, early_overflow);
}

/* From 2^11 to 2^12 the neighbours of a half are 2 apart, and half way is an odd integer: a sum
 * that was stored as the even one next to it becomes the other one. */
static uint64_t away_from_even(const candidate_call *call, const line_walk *walk, uint64_t k,
                               uint64_t before, uint64_t bits) {
    (void)before;
    const kernel_case *c = call->c;
    if (c->type != CUMSUM_DATA_TYPE_FLOAT16 || c->in_place || c->exclusive || k == 0 ||
        c->numerics.order != CUMSUM_ORDER_SEQUENTIAL || (bits & 1) || (bits & 0x7FFF) < 0x6800 ||
        (bits & 0x7FFF) >= 0x6C00)
        return bits;
    float sum = 0;
    for (uint64_t i = 0; i <= k; i++)
        sum += cumsum_half_to_float(
            (uint16_t)element_bits(call, element_at(call, walk, CASE_INPUT, i)));
    const float stored = cumsum_half_to_float((uint16_t)bits);
    const float beyond = stored < 0 ? stored - sum : sum - stored;
    return beyond == 1 ? bits + 1 : bits;
}

static bool run_ties_away(candidate_call *call) {
    return run_and_damage(call, away_from_even);
}

static uint64_t flushed_half(const candidate_call *call, const line_walk *walk, uint64_t k,
                             uint64_t before, uint64_t bits) {
    (void)walk;
    (void)k;
    (void)before;
    const bool subnormal = call->c->type == CUMSUM_DATA_TYPE_FLOAT16 && (bits & 0x7C00) == 0;
    return subnormal ? bits & 0x8000 : bits;
}

static bool run_half_flushed(candidate_call *call) {
    return run_and_damage(call, flushed_half);
}

static void preserve(kernel_case *c) {
    c->numerics.denormals = CUMSUM_DENORMALS_PRESERVE;
}

static bool run_flush_missing(candidate_call *call) {
    return run_changed(call, preserve);
}

static void flush(kernel_case *c) {
    c->numerics.denormals = CUMSUM_DENORMALS_FLUSH;
}

static bool run_flush_always(candidate_call *call) {
    return run_changed(call, flush);
}

static uint64_t flushed_float(const candidate_call *call, uint64_t bits) {
    const bool subnormal =
        call->c->type == CUMSUM_DATA_TYPE_FLOAT32 && (bits & UINT64_C(0x7F800000)) == 0;
    return subnormal ? bits & UINT64_C(0x80000000) : bits;
}

static uint64_t flushed_element(const candidate_call *call, uint64_t k, uint64_t bits) {
    (void)k;
    return flushed_float(call, bits);
}

/* Inputs are flushed, sums are not. */
static bool run_flush_of_inputs(candidate_call *call) {
    candidate_call preserving = *call;
    kernel_case c = *call->c;
    if (c.numerics.denormals == CUMSUM_DENORMALS_PRESERVE)
        return candidate_run_reference(call, &c, call->window[CASE_INPUT].tensor);
    c.numerics.denormals = CUMSUM_DENORMALS_PRESERVE;
    preserving.c = &c;
    const bool ok = run_on_replaced_input(&preserving, flushed_element);
    call->ran = preserving.ran;
    return ok;
}

static uint64_t plus_zero(const candidate_call *call, const line_walk *walk, uint64_t k,
                          uint64_t before, uint64_t bits) {
    (void)walk;
    (void)k;
    (void)before;
    return call->c->type == CUMSUM_DATA_TYPE_FLOAT32 && bits == UINT32_C(0x80000000) ? 0 : bits;
}

static bool run_flush_sign_lost(candidate_call *call) {
    return run_and_damage(call, plus_zero);
}

/* The tally begins with the first element, not with +0. */
static uint64_t minus_zero(const candidate_call *call, const line_walk *walk, uint64_t k,
                           uint64_t before, uint64_t bits) {
    (void)before;
    if (k > 0 || call->c->in_place || call->c->exclusive || !case_is_floating(call->c))
        return bits;
    const uint64_t sign = UINT64_C(1) << (8 * case_element_size(call->c) - 1);
    return element_bits(call, element_at(call, walk, CASE_INPUT, 0)) == sign ? sign : bits;
}

static bool run_minus_zero_kept(candidate_call *call) {
    return run_and_damage(call, minus_zero);
}

static bool run_mode_flushes(candidate_call *call) {
    const bool flushing = call->c->mode & 12 && !(call->c->mode & 3);
    return flushing ? run_flush_always(call) : run_changed(call, NULL);
}

static uint64_t one_more(const candidate_call *call, const line_walk *walk, uint64_t k,
                         uint64_t before, uint64_t bits) {
    (void)walk;
    (void)before;
    return k == 1 && call->c->type == CUMSUM_DATA_TYPE_FLOAT32 ? bits ^ 1 : bits;
}

static bool run_mode_rounds(candidate_call *call) {
    return call->c->mode & 3 ? run_and_damage(call, one_more) : run_changed(call, NULL);
}

/* Computes, and leaves the thread in another mode. */
static bool run_mode_left(candidate_call *call) {
    const bool ok = run_changed(call, NULL);
    if (call->c->mode == 3)
        caller_mode_write(caller_mode_control(0));
    return ok;
}

const broken_candidate broken_stores[] = {
    {"store-truncates", "nearest-even is truncated", run_store_truncates},
    {"store-rounds", "toward-zero is rounded", run_store_rounds},
    {"store-ties-away", "half way goes away from zero", run_ties_away},
    {"overflow-late", "nearest-even overflows from 65520 on", run_overflow_late},
    {"overflow-early", "ieee overflows above 65504", run_overflow_early},
    {"half-flushed", "binary16 subnormals are flushed", run_half_flushed},
    {"flush-missing", "subnormals are kept where flush is asked for", run_flush_missing},
    {"flush-always", "subnormals are flushed always", run_flush_always},
    {"flush-of-inputs", "only inputs are flushed", run_flush_of_inputs},
    {"flush-sign-lost", "a flushed sum is +0", run_flush_sign_lost},
    {"minus-zero-kept", "the first output is the first element", run_minus_zero_kept},
    {"mode-flushes", "the caller's flush modes are obeyed", run_mode_flushes},
    {"mode-rounds", "the caller's rounding direction is obeyed", run_mode_rounds},
    {"mode-left", "the caller's mode is not put back", run_mode_left},
    {NULL, NULL, NULL}};
