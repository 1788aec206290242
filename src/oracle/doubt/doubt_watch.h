/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_DOUBT_WATCH_H
#define CUMSUM_ORACLE_DOUBT_WATCH_H

/*
 * Which lines are surely not doubtful: docs/oracle.md, "Doubt in the fast path". The loops over
 * lines know y - S of each output, and ask here, with bounds that are tighter than those of
 * doubt_line.h. A line that they are not sure of is looked at again.
 *
 * Invariant: R is never too large here. It is taken from some prefix sums of those that have been
 * met, and R only grows along a line. So do r and the bits of m. The limit of an error falls at one
 * place, where r v becomes 1/4.
 */

#include "judge_state.h"
#include "line_sum.h"

/* The arithmetics that are looked for. */
enum {
    WATCH_WIDE = 1,      /* FLOAT32 and FLOAT64; 16 bits: binary32 sums, stored to nearest */
    WATCH_ZERO = 2,      /* 16 bits: binary32 sums, stored toward zero */
    WATCH_NARROW = 4,    /* sums of 16 bits, rounded to nearest */
    WATCH_TRUNCATING = 8 /* the same, truncated */
};

/* The same of a set of models. */
static inline uint8_t watch_models(uint32_t models) {
    const uint32_t to_nearest =
        MODEL(CUMSUM_VERDICT_BINARY32_NEAREST) | MODEL(CUMSUM_VERDICT_BINARY32_IEEE);
    const uint32_t narrow = MODEL(CUMSUM_VERDICT_BINARY16) | MODEL(CUMSUM_VERDICT_BFLOAT16);
    return (uint8_t)((models & (MODELS_FLOAT | to_nearest) ? WATCH_WIDE : 0) |
                     (models & MODEL(CUMSUM_VERDICT_BINARY32_ZERO) ? WATCH_ZERO : 0) |
                     (models & narrow ? WATCH_NARROW : 0) |
                     (models & MODELS_TRUNCATING ? WATCH_TRUNCATING : 0));
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

/* Of fewer terms that are not zero, r v is less than 1/4. */
static inline uint64_t watch_known_terms(double unit) {
    return (uint64_t)(0.25 / unit);
}

/* The number of terms that are not zero from which on less is known than behind so many; UINT64_MAX
 * if it is no less. */
static inline uint64_t watch_renewed_at(uint64_t nonzero, double unit) {
    const uint64_t known = watch_known_terms(unit);
    return nonzero < known ? known : UINT64_MAX;
}

/* The error up to which an output, behind the terms of l and at most so many more, is a sum of
 * neighbours of which something is known, with this v: R r v, and 2 log2(m) v A where r v may be
 * 1/4. R r v is less than R ((1 + v)^r - 1). Where nothing rounds it is 0, or less. */
static inline double watch_error_limit(const doubt_watch *w, const line_sum *l, double unit,
                                       uint64_t heavy, uint64_t more) {
    const double v = unit * WATCH_MARGIN, range = w->top - w->bottom;
    const double neighbours = range * (line_sum_earlier_roundings(l, heavy) + 1) * v;
    const double balanced = 2 * (double)l->log2_terms * v * l->magnitude;
    const bool known = l->nonzero + more < watch_known_terms(unit);
    return known || neighbours < balanced ? neighbours : balanced;
}

/* The same for the difference of two errors. ceil(log2 m) is at most the number of bits of m. */
static inline double watch_jump_limit(const doubt_watch *w, const line_sum *l, double unit) {
    return WATCH_JUMP * unit * (w->top - w->bottom) * (double)l->log2_terms;
}

/* FLOAT32 and FLOAT64: the limits as they are now. */
static inline void watch_float_limits(doubt_watch *w, const line_sum *l, const binary_format *f) {
    const bool known = l->rounds && !l->special && line_sum_in_range(l, f);
    w->error_limit = known ? watch_error_limit(w, l, f->unit_roundoff, l->heavy, 0) : -1;
    w->jump_limit = known ? watch_jump_limit(w, l, f->unit_roundoff) : -1;
    w->renewed_at = watch_renewed_at(l->nonzero, f->unit_roundoff);
}

/* FLOAT32 and FLOAT64: looks at the next output, which is the value y and has the terms of l. Of a
 * NaN or an infinity it is not sure. Limits grow along a line, so that those of an earlier output
 * are tried first. */
static inline void watch_float(doubt_watch *w, const line_sum *l, const binary_format *f,
                               double y) {
    if (!w->sure)
        return;
    const double error = (y - l->high) - l->low, size = fabs(error);
    const double difference = fabs(error - w->error), doubt = 4 * l->slack;
    const bool falls = size <= fabs(w->error) * WATCH_MARGIN;
    w->error = error;
    watch_sum(w, l->high);
    /* No branches, which would be mispredicted. */
    const int steady =
        (falls | (difference <= w->jump_limit - doubt)) & (l->nonzero < w->renewed_at);
    if ((size <= w->error_limit - doubt) & steady)
        return;
    if (error == 0)
        return; /* it does not jump either: an error that becomes smaller does not count */
    watch_float_limits(w, l, f);
    if (!(size <= w->error_limit - doubt) || (!falls && !(difference <= w->jump_limit - doubt)))
        w->sure = 0;
}

/* 16 bits: half the gap between y and its neighbour, on the side of S. */
static inline double watch_half_gap(const binary_format *f, uint64_t y, bool beyond) {
    const uint64_t magnitude = y & ~f->sign, exponent = magnitude >> (f->precision - 1);
    const bool smaller = exponent > 1 && !(magnitude & ((UINT64_C(1) << (f->precision - 1)) - 1));
    const double outer = binary64_power(f->quantum - 1 + (int)(exponent > 1 ? exponent - 1 : 0));
    return smaller && !beyond ? outer / 2 : outer;
}

/* An output at most this far from the sums that are stored as it is not doubtful, and no jump is
 * between two of them. 0 if nothing rounds. */
static inline double watch_level(const doubt_watch *w, const line_sum *l, const binary_format *f,
                                 double unit, uint64_t heavy) {
    const double jump = watch_jump_limit(w, l, unit) / 2;
    const double error = watch_error_limit(w, l, unit, heavy, 0);
    return !line_sum_may_round(l, f) || error < 0 ? 0 : (jump < error ? jump : error);
}

/* The levels as they are now. */
static inline void watch_16_bit_levels(doubt_watch *w, const line_sum *l, const binary_format *f) {
    const uint64_t heavy = line_sum_heavy(l, f);
    const double unit = f->unit_roundoff, small = binary32_format.unit_roundoff;
    w->wide_level = l->rounds ? watch_level(w, l, &binary32_format, small, l->heavy) : 0;
    w->narrow_level = watch_level(w, l, f, unit, heavy);
    w->truncating_level = watch_level(w, l, f, 2 * unit, heavy);
    const double units[] = {2 * unit, unit, small};
    w->renewed_at = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        const uint64_t at = watch_renewed_at(l->nonzero, units[i]);
        w->renewed_at = at < w->renewed_at ? at : w->renewed_at;
    }
}

/* The arithmetics under which an output at these distances from the sums that are stored as it is
 * sure: where nothing is stored, to nearest, and toward zero. */
static inline uint8_t watch_sure(const doubt_watch *w, double plain, double nearest, double zero) {
    return (uint8_t)((nearest <= w->wide_level ? WATCH_WIDE : 0) |
                     (zero <= w->wide_level ? WATCH_ZERO : 0) |
                     (plain <= w->narrow_level ? WATCH_NARROW : 0) |
                     (plain <= w->truncating_level ? WATCH_TRUNCATING : 0));
}

/* FLOAT16: the arithmetic that a line is watched for where its errors are not around 0. */
typedef struct watched_arithmetic {
    const binary_format *format;
    double unit;
    bool stored;  /* sums are stored in a narrower type */
    bool to_zero; /* and truncated */
} watched_arithmetic;

/* One is enough from here on, the first one that fits all outputs so far. */
static inline watched_arithmetic watch_one(doubt_watch *w, uint32_t models) {
    const uint8_t kinds = watch_models(models) & w->sure, kind = (uint8_t)(kinds & -kinds);
    w->sure = kind;
    if (kind & (WATCH_WIDE | WATCH_ZERO))
        return (watched_arithmetic){&binary32_format, 0x1p-24, true, kind == WATCH_ZERO};
    return (watched_arithmetic){&binary16_format, kind == WATCH_NARROW ? 0x1p-11 : 0x1p-10, false,
                                false};
}

/* The limits behind these terms, and at most so many more. */
static inline void watch_limits_of(doubt_watch *w, const line_sum *l, const watched_arithmetic *how,
                                   uint64_t more) {
    const bool rounds = line_sum_may_round(l, how->format);
    const uint64_t heavy = line_sum_heavy(l, how->format);
    w->error_limit = rounds ? watch_error_limit(w, l, how->unit, heavy, more) : 0;
    w->jump_limit = rounds ? watch_jump_limit(w, l, how->unit) : 0;
}

/* Of the errors that the sum may have that is stored as a finite output, the nearest to this one. S
 * is given. */
static inline double watch_stored_error(uint64_t bits, double sum, const watched_arithmetic *how,
                                        double value) {
    const double y = format_value(&binary16_format, bits), error = y - sum;
    if (!how->stored)
        return error;
    const double away = watch_half_gap(&binary16_format, bits, true) * (how->to_zero ? 2 : 1);
    const double towards = how->to_zero ? 0 : watch_half_gap(&binary16_format, bits, false);
    const double low = error - (y < 0 ? away : towards), high = error + (y < 0 ? towards : away);
    return value < low ? low : value > high ? high : value;
}

/* FLOAT16: looks at the next output. How far is its error from the one before, and from 0? Nothing
 * is doubted of an infinity. */
static inline void watch_binary16(doubt_watch *w, const line_sum *l, uint64_t y) {
    const watched_arithmetic how = watch_one(w, MODELS_FLOAT16);
    watch_sum(w, l->high);
    if (!format_is_finite(&binary16_format, y))
        return;
    const double next = watch_stored_error(y, l->high, &how, w->error);
    watch_limits_of(w, l, &how, 0);
    if (fabs(next - w->error) > w->jump_limit ||
        fabs(watch_stored_error(y, l->high, &how, 0)) > w->error_limit)
        w->sure = 0;
    w->error = next;
}

/* 16 bits: looks at an output with this |y - S|. Levels grow along a line, so that those of an
 * earlier output are tried first. */
static inline void watch_16_bit(doubt_watch *w, const line_sum *l, const binary_format *f,
                                uint64_t y, double distance) {
    if (!w->sure)
        return;
    watch_sum(w, l->high);
    const bool hold = w->renewed_at > l->nonzero;
    const bool near = (distance <= w->wide_level) & (distance <= w->narrow_level) &
                      (distance <= w->truncating_level) & hold;
    if ((distance == 0 || near) && w->error == 0)
        return;
    if (!l->special && !format_is_finite(f, y))
        return; /* nothing is doubted of it */
    if (l->special || l->slack != 0) {
        w->sure = 0;
        return;
    }
    if (w->error != 0) {
        watch_binary16(w, l, y);
        return;
    }
    const double value = format_value(f, y);
    const bool beyond = (l->high - value) * value >= 0;
    const double gap = watch_half_gap(f, y, beyond);
    const double nearest = distance - gap, zero = distance - (beyond ? 2 * gap : 0);
    if (hold && (w->sure & ~watch_sure(w, distance, nearest, zero)) == 0)
        return;
    watch_16_bit_levels(w, l, f);
    w->sure &= watch_sure(w, distance, nearest, zero);
}

#endif
