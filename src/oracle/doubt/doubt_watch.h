/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_DOUBT_WATCH_H
#define CUMSUM_ORACLE_DOUBT_WATCH_H

/*
 * Which lines are surely not doubtful: docs/oracle.md, "Doubt in the fast path". The loops over
 * lines know y - S of each output, and ask here, with bounds that are tighter than those of
 * doubt_line.h. A line that they are not sure of is looked at again.
 *
 * Invariant: R is never too large here. It is taken from some prefix sums of those that have been
 * met, and R only grows along a line. So do r and the bits of m.
 */

#include "fast_segment.h"
#include "judge_state.h"
#include "line_sum.h"

/* The arithmetics that are looked for. */
enum {
    WATCH_WIDE = 1,  /* FLOAT32 and FLOAT64; 16 bits: binary32 sums, stored to nearest */
    WATCH_NARROW = 2 /* sums of 16 bits, rounded to nearest */
};

/* The same of a set of models. */
static inline uint8_t watch_models(uint32_t models) {
    const uint32_t to_nearest =
        MODEL(CUMSUM_VERDICT_BINARY32_NEAREST) | MODEL(CUMSUM_VERDICT_BINARY32_IEEE);
    const uint32_t narrow = MODEL(CUMSUM_VERDICT_BINARY16) | MODEL(CUMSUM_VERDICT_BFLOAT16);
    return (uint8_t)((models & (MODELS_FLOAT | to_nearest) ? WATCH_WIDE : 0) |
                     (models & narrow ? WATCH_NARROW : 0));
}

/* More than the relative error of anything that is computed here and in doubt_line.c. */
#define WATCH_MARGIN (1 - 0x1p-16)

/* A jump up to this many units is none: 16, less what covers roundings. */
#define WATCH_JUMP 15.0

/* Widens R by a prefix sum. */
static inline void watch_sum(doubt_watch *w, double sum) {
    w->top = sum > w->top ? sum : w->top;
    w->bottom = sum < w->bottom ? sum : w->bottom;
}

/* The error up to which an output, behind the terms of l, is a sum of neighbours of which something
 * is known, with sums in this format: R r v, and 2 log2(m) v A where r v may be 1/4. R r v is less
 * than R ((1 + v)^r - 1). Where nothing rounds it is 0, or less. */
static inline double watch_error_limit(const doubt_watch *w, const line_sum *l,
                                       const binary_format *f, uint64_t heavy) {
    const double v = f->unit_roundoff * WATCH_MARGIN, range = w->top - w->bottom;
    const double neighbours = range * (line_sum_earlier_roundings(l, heavy) + 1) * v;
    const double balanced = 2 * (double)l->log2_terms * v * l->magnitude;
    const bool known = (double)l->nonzero * f->unit_roundoff < 0.25;
    return known || neighbours < balanced ? neighbours : balanced;
}

/* The same for the difference of two errors. ceil(log2 m) is at most the number of bits of m. */
static inline double watch_jump_limit(const doubt_watch *w, const line_sum *l,
                                      const binary_format *f) {
    return WATCH_JUMP * f->unit_roundoff * (w->top - w->bottom) * (double)l->log2_terms;
}

/* FLOAT32 and FLOAT64: looks at the next output, which is the value y and has the terms of l. Of a
 * NaN or an infinity it is not sure. */
static inline void watch_float(doubt_watch *w, const line_sum *l, const binary_format *f,
                               double y) {
    if (!w->sure)
        return;
    const double error = (y - l->high) - l->low, difference = fabs(error - w->error);
    const bool falls = fabs(error) <= fabs(w->error) * WATCH_MARGIN;
    w->error = error;
    watch_sum(w, l->high);
    if (error == 0)
        return; /* it does not jump either: an error that becomes smaller does not count */
    const bool known = l->rounds && !l->special && line_sum_in_range(l, f);
    const double doubt = 4 * l->slack;
    /* No branches, which would be mispredicted. */
    const int near = fabs(error) <= watch_error_limit(w, l, f, l->heavy) - doubt;
    const int steady = falls | (difference <= watch_jump_limit(w, l, f) - doubt);
    if (!(known & near & steady))
        w->sure = 0;
}

/* 16 bits: half the gap between y and its neighbour, on the side of S. */
static inline double watch_half_gap(const binary_format *f, uint64_t y, const line_sum *l) {
    const uint64_t magnitude = y & ~f->sign, exponent = magnitude >> (f->precision - 1);
    const bool smaller = exponent > 1 && !(magnitude & ((UINT64_C(1) << (f->precision - 1)) - 1));
    const double value = format_value(f, y);
    const bool beyond = (l->high - value) * value >= 0;
    const double outer = fast_power(f->quantum - 1 + (int)(exponent > 1 ? exponent - 1 : 0));
    return smaller && !beyond ? outer / 2 : outer;
}

/* An output at most this far from S is not doubtful, and no jump is between two of them. 0 if
 * nothing rounds. */
static inline double watch_level(const doubt_watch *w, const line_sum *l, const binary_format *f,
                                 uint64_t heavy) {
    const double jump = watch_jump_limit(w, l, f) / 2;
    const double error = watch_error_limit(w, l, f, heavy);
    return !line_sum_may_round(l, f) || error < 0 ? 0 : (jump < error ? jump : error);
}

static inline double watch_wide_level(const doubt_watch *w, const line_sum *l) {
    return l->rounds ? watch_level(w, l, &binary32_format, l->heavy) : 0;
}

static inline double watch_narrow_level(const doubt_watch *w, const line_sum *l,
                                        const binary_format *f) {
    return watch_level(w, l, f, line_sum_heavy(l, f));
}

/* 16 bits: looks at an output with this |y - S|. */
static inline void watch_16_bit(doubt_watch *w, const line_sum *l, const binary_format *f,
                                uint64_t y, double distance) {
    if (!w->sure || distance == 0)
        return;
    watch_sum(w, l->high);
    const bool known = !l->special && l->slack == 0 && format_is_finite(f, y);
    if (!known || !(distance - watch_half_gap(f, y, l) <= watch_wide_level(w, l)))
        w->sure &= (uint8_t)~WATCH_WIDE;
    if (!known || !(distance <= watch_narrow_level(w, l, f)))
        w->sure &= (uint8_t)~WATCH_NARROW;
}

#endif
