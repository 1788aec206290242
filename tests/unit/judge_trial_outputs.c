/* SPDX-License-Identifier: MIT */
/*
 * Replaces right outputs: by the ends of the intervals that the rules accept and their neighbours,
 * by errors at the limits of the classes, by what another device gives, and by what is plainly
 * wrong. Most lines keep all outputs but one, so that everything that a judgement keeps from output
 * to output is at stake where it stands.
 */
#include "judge_trial.h"

#include "line_sum.h"
#include "splitmix64.h"

#include <math.h>
#include <stdlib.h>

/* Where vectors, blocks and tiles begin and end, and any other place. */
static uint32_t draw_position(const judge_trial *t, uint64_t *state) {
    static const uint32_t blocks[] = {4, 8, 16, 32, 64, 128, 256, 512, 1024};
    uint32_t position = random_below(state, t->n);
    switch (random_below(state, 5)) {
    case 0:
        position = t->n - 1 - random_below(state, t->n < 20 ? t->n : 20);
        break;
    case 1:
        position = random_below(state, t->n < 20 ? t->n : 20);
        break;
    case 2:
    case 3: {
        const uint32_t block = blocks[random_below(state, 9)];
        position = position / block * block + (random_once_in(state, 2) ? 0 : block - 1);
        break;
    }
    default:
        break;
    }
    return position < t->n ? position : t->n - 1;
}

/* The number of that rank. Beyond the infinities it is a NaN. */
static uint64_t of_rank(const binary_format *f, int64_t rank) {
    return rank < 0 ? f->sign | (uint64_t)-rank : (uint64_t)rank;
}

static uint64_t step(const judge_trial *t, uint64_t y, int64_t by) {
    if (!t->format)
        return y + (uint64_t)by;
    return format_is_nan(t->format, y) ? y : of_rank(t->format, format_rank(t->format, y) + by);
}

/* -1, 0 or 1, or one of more. */
static int64_t draw_step(uint64_t *state) {
    const int64_t few = (int64_t)random_below(state, 3) - 1;
    return random_once_in(state, 5) ? few * (INT64_C(1) << random_below(state, 12)) : few;
}

static exact_prefix prefix_of(const judge_trial *t, const uint64_t *x, uint32_t position) {
    exact_prefix p = exact_prefix_empty(t->format);
    for (uint32_t k = 0; k < position + !t->exclusive; k++)
        cumsum_exact_prefix_add(&p, x[k]);
    return p;
}

static uint32_t models_of(const judge_trial *t) {
    return t->format->precision >= 24   ? MODELS_FLOAT
           : t->format->precision == 11 ? MODELS_FLOAT16
                                        : MODELS_BFLOAT16;
}

/* All models, or one of them. */
static rule_options draw_models(const judge_trial *t, uint64_t *state) {
    rule_options how = {.allowed = models_of(t)};
    if (random_once_in(state, 4))
        return how;
    do
        how.allowed = models_of(t) & MODEL(random_below(state, 12));
    while (!how.allowed);
    return how;
}

/* The last output that the models accept between the expected one and an infinity. */
static uint64_t last_accepted(const exact_prefix *p, const rule_options *how, bool negative) {
    const binary_format *f = p->format;
    int64_t in = format_rank(f, cumsum_exact_prefix_round(p));
    int64_t out = negative ? -(int64_t)f->infinity : (int64_t)f->infinity;
    while (in + 1 < out || out + 1 < in) {
        const int64_t between = in / 2 + out / 2 + (in % 2 + out % 2) / 2;
        if (cumsum_rule(p, of_rank(f, between), how).models)
            in = between;
        else
            out = between;
    }
    return of_rank(f, in);
}

/* S + c u A, rounded to the type, for a c between the limits of the classes. */
static uint64_t at_class_limit(const exact_prefix *p, uint64_t *state) {
    const binary_format *f = p->format;
    uint64_t log2_terms = 0;
    while (p->terms > UINT64_C(1) << log2_terms)
        log2_terms++;
    const uint64_t limits[4] = {1, log2_terms, 2 * log2_terms, 1 + random_below(state, 40)};
    wide sum = wide_shift_left(&p->sum, (unsigned)f->precision);
    wide error = wide_multiply(&p->magnitude, limits[random_below(state, 4)]);
    sum = random_once_in(state, 2) ? wide_add(&sum, &error) : wide_sub(&sum, &error);
    return cumsum_format_round(f, &sum, f->quantum - f->precision);
}

/* An output on one side of a boundary. */
static uint64_t at_boundary(const judge_trial *t, const exact_prefix *p, uint64_t y,
                            bool every_output, uint64_t *state) {
    const rule_options how = draw_models(t, state);
    const int64_t by = draw_step(state);
    if (rule_is_special(p))
        return step(t, cumsum_rule_expected(p), random_once_in(state, 3) ? by : 0);
    switch (random_below(state, every_output ? 5 : 6)) {
    case 0:
        return step(t, cumsum_rule(p, y, &how).lower, by);
    case 1:
        return step(t, cumsum_rule(p, y, &how).upper, by);
    case 2:
        return step(t, cumsum_exact_prefix_round(p), by);
    case 3:
        return step(t, at_class_limit(p, state), by);
    case 4:
        return step(t, y, by);
    default:
        return step(t, last_accepted(p, &how, random_once_in(state, 2)), by);
    }
}

static void boundary_here(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    const uint32_t position = draw_position(t, state);
    const exact_prefix p = prefix_of(t, x, position);
    y[position] = at_boundary(t, &p, y[position], false, state);
}

/* Every output of a part of the line. */
static void boundary_often(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    const uint32_t first = random_once_in(state, 2) ? 0 : draw_position(t, state);
    const uint32_t last = t->n - first > 200 ? first + 200 : t->n;
    exact_prefix p = prefix_of(t, x, first);
    for (uint32_t k = first; k < last; k++) {
        while (p.terms < (uint64_t)k + !t->exclusive)
            cumsum_exact_prefix_add(&p, x[p.terms]);
        y[k] = at_boundary(t, &p, y[k], true, state);
    }
}

/* Something that no boundary is near to. */
static void wrong_here(const judge_trial *t, uint64_t *y, uint64_t *state) {
    const uint32_t position = draw_position(t, state);
    const uint32_t bits = 8 * t->element_size;
    const uint64_t infinity = t->format ? t->format->infinity : 0;
    const uint64_t sign = t->format ? t->format->sign : UINT64_C(1) << (bits - 1);
    uint64_t *const here = &y[position];
    switch (random_below(state, 9)) {
    case 0:
        *here = random_next(state);
        break;
    case 1:
        *here ^= UINT64_C(1) << random_below(state, bits);
        break;
    case 2:
        *here ^= sign;
        break;
    case 3:
        *here = infinity | (random_once_in(state, 2) ? sign : 0);
        break;
    case 4:
        *here = infinity | 1;
        break;
    case 5:
        *here = random_once_in(state, 2) ? sign : 0;
        break;
    case 6:
        *here = y[position ? position - 1 : t->n - 1];
        break;
    case 7:
        *here = y[position + 1 < t->n ? position + 1 : 0];
        break;
    default:
        *here = step(t, *here, draw_step(state));
        break;
    }
    *here &= UINT64_MAX >> (64 - bits);
}

/* The term that is least seen: a NaN or an infinity, or the smallest one. */
static uint32_t least_term(const judge_trial *t, const uint64_t *x) {
    uint32_t least = 0;
    uint64_t magnitude = UINT64_MAX;
    for (uint32_t k = 0; k < t->n; k++) {
        const uint64_t bits = x[k] & ~t->format->sign;
        if (!format_is_finite(t->format, bits))
            return k;
        if (bits && bits < magnitude) {
            magnitude = bits;
            least = k;
        }
    }
    return least;
}

/* A term is changed on the way: every output from there on is moved. */
static void wrong_term(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    const uint32_t rare = least_term(t, x);
    const bool least = random_once_in(state, 2) || !format_is_finite(t->format, x[rare]);
    const uint32_t position = least ? rare : draw_position(t, state);
    uint64_t order_state = random_next(state);
    uint64_t *changed = judge_trial_memory(t->n * sizeof *changed);
    for (uint32_t k = 0; k < t->n; k++)
        changed[k] = x[k];
    changed[position] = least || random_once_in(state, 2)
                            ? 0
                            : x[position] ^ UINT64_C(1) << random_below(state, t->element_size * 8);
    judge_trial_sum(t, changed, y, &order_state);
    free(changed);
}

/* The sums of a line, and the error of its outputs. */
typedef struct error_walk {
    line_sum sum;
    double h; /* the largest error so far */
} error_walk;

/* y - S. */
static double error_of(const judge_trial *t, const error_walk *w, uint64_t y) {
    return (format_value(t->format, y) - w->sum.high) - w->sum.low;
}

/* Adds the terms of an output; its error counts after that of the ones before. */
static void walk_to(const judge_trial *t, error_walk *w, const uint64_t *x, uint32_t position) {
    while (w->sum.terms < (uint64_t)position + !t->exclusive) {
        const uint64_t bits = x[w->sum.terms];
        line_sum_add(&w->sum, t->format, bits, format_value(t->format, bits));
    }
}

static void walk_past(const judge_trial *t, error_walk *w, uint64_t y) {
    const double error = fabs(error_of(t, w, y)) / (t->format->unit_roundoff * w->sum.magnitude);
    if (!w->sum.special && isfinite(error) && error > w->h)
        w->h = error;
}

double judge_trial_error(const judge_trial *t, const uint64_t *x, const uint64_t *y) {
    double few[REACH_MOST];
    error_walk w = {.sum = line_sum_empty(few)};
    if (!t->format)
        return 0;
    for (uint32_t k = 0; k < t->n; k++) {
        walk_to(t, &w, x, k);
        walk_past(t, &w, y[k]);
    }
    return w.h;
}

/* Walks to an output; its error is not known yet. */
static error_walk walk(const judge_trial *t, const uint64_t *x, const uint64_t *y, double h,
                       double *few, uint32_t position) {
    error_walk w = {.sum = line_sum_empty(few), .h = h};
    for (uint32_t k = 0; k < position; k++) {
        walk_to(t, &w, x, k);
        walk_past(t, &w, y[k]);
    }
    walk_to(t, &w, x, position);
    return w;
}

/* Moves an output to an error, in units of u A, or beside it. */
static void put_error(const judge_trial *t, const error_walk *w, uint64_t *y, double error,
                      uint64_t *state) {
    const double distance = error * t->format->unit_roundoff * w->sum.magnitude;
    const double value =
        w->sum.high + (w->sum.low + (random_once_in(state, 2) ? distance : -distance));
    if (isfinite(value))
        *y = step(t, judge_trial_bits(t->format, value), draw_step(state));
}

/* The error of another output, near a limit of a class: below it at the end of a line, so that h
 * becomes large and the class stays, or above it near the start, where limits are lower. */
static void error_near_limits(const judge_trial *t, const uint64_t *x, uint64_t *y,
                              uint64_t *state) {
    const bool late = random_once_in(state, 2);
    const uint32_t most = t->n < 80 ? t->n : 80;
    const uint32_t position =
        late ? t->n - 1 - random_below(state, most) / 4 : random_below(state, most);
    double few[REACH_MOST];
    const error_walk w = walk(t, x, y, 0, few, position);
    const double log2_terms = (double)w.sum.log2_terms;
    const double limit = random_once_in(state, 4)   ? 2 * log2_terms
                         : random_once_in(state, 8) ? 1
                                                    : log2_terms;
    const double off = (double)random_below(state, 64) / 64;
    put_error(t, &w, &y[position], late ? limit - off : limit + off, state);
}

/* The largest error so far, once more, or a little more or less. */
static void error_again(const judge_trial *t, const uint64_t *x, uint64_t *y, double h,
                        uint64_t *state) {
    const uint32_t position = draw_position(t, state);
    double few[REACH_MOST];
    const error_walk w = walk(t, x, y, h, few, position);
    put_error(t, &w, &y[position], w.h, state);
}

/* An output of a short prefix: a few units of u A off, which a bound may allow, though no order
 * gives it. */
static void error_of_few_terms(const judge_trial *t, const uint64_t *x, uint64_t *y,
                               uint64_t *state) {
    const uint32_t most = t->options.reachable ? REACH_MOST : REACH_ALWAYS;
    uint32_t position = 0, nonzero = 0, places = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        nonzero += k >= t->exclusive && (x[k - t->exclusive] & ~t->format->sign) != 0;
        if (nonzero > 2 && nonzero <= most && random_once_in(state, ++places))
            position = k;
    }
    double few[REACH_MOST];
    const error_walk w = walk(t, x, y, 0, few, position);
    const uint32_t units = random_once_in(state, 4) ? 96 : 32; /* below h<=1, mostly */
    put_error(t, &w, &y[position], (double)random_below(state, units) / 32, state);
}

/* Where S lies nearly halfway between two numbers, the other one; at any such place. */
static void other_neighbour(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    double few[REACH_MOST];
    error_walk w = {.sum = line_sum_empty(few)};
    uint32_t position = 0, places = 0;
    uint64_t there = y[0];
    for (uint32_t k = 0; k < t->n; k++) {
        walk_to(t, &w, x, k);
        const double error = error_of(t, &w, y[k]);
        const uint64_t other = step(t, y[k], error > 0 ? -1 : 1);
        const double ratio = fabs(error_of(t, &w, other) / error);
        if (ratio >= 1 && ratio < 1 + 0x1p-8 && random_once_in(state, ++places)) {
            position = k;
            there = other;
        }
    }
    y[position] = there;
}

/* Zeros of the other sign, or one of them. */
static void negative_zeros(const judge_trial *t, uint64_t *y, uint64_t *state) {
    const bool one = random_once_in(state, 2);
    uint32_t last = t->n;
    for (uint32_t k = draw_position(t, state); k < t->n; k++)
        if (!(y[k] & ~t->format->sign) && (one || random_once_in(state, 2))) {
            last = k;
            if (!one)
                y[k] ^= t->format->sign;
            else if (random_once_in(state, 4))
                break;
        }
    if (one && last < t->n)
        y[last] ^= t->format->sign;
}

/* Another device computes the outputs from here on, or one of them. */
static void other_device(const judge_trial *t, const uint64_t *x, uint64_t *y, bool one,
                         uint64_t *state) {
    const uint32_t first = draw_position(t, state), last = one ? first + 1 : t->n;
    uint64_t order_state = random_next(state);
    uint64_t *other = judge_trial_memory(t->n * sizeof *other);
    judge_trial_sum(t, x, other, &order_state);
    for (uint32_t k = first; k < last; k++)
        y[k] = other[k];
    free(other);
}

/* Every output is a few steps off, in lines that are otherwise right. */
static void steps_everywhere(const judge_trial *t, uint64_t *y, uint64_t *state) {
    const uint32_t most = 1u << random_below(state, 7);
    for (uint32_t k = 0; k < t->n; k++)
        y[k] = step(t, y[k], (int64_t)random_below(state, 2 * most + 1) - most);
}

/* From here on most outputs are one of these, or what they are not. */
static void wrong_from(const judge_trial *t, uint64_t *y, uint32_t position, uint64_t *state) {
    const uint64_t other = y[draw_position(t, state)];
    const uint32_t kind = random_below(state, 4), seldom = random_between(state, 1, 9);
    for (uint32_t k = position; k < t->n; k++) {
        if (random_once_in(state, seldom + 1))
            continue;
        y[k] = kind == 0   ? other
               : kind == 1 ? y[k] ^ t->format->sign
               : kind == 2 ? step(t, y[k], (int64_t)random_below(state, 1u << 20))
                           : 0;
    }
}

static void tamper_for_theme(const judge_trial *t, const uint64_t *x, uint64_t *y, double h,
                             uint64_t *state) {
    const uint32_t position = random_below(state, t->n < 40 ? t->n : 40);
    switch (t->theme) {
    case THEME_NEAR_TIES:
        other_neighbour(t, x, y, state);
        break;
    case THEME_SPARSE:
        if (random_once_in(state, 3))
            y[position] = step(t, y[position], (int64_t)random_below(state, 81) - 40);
        else
            error_of_few_terms(t, x, y, state);
        break;
    case THEME_FAILS:
        wrong_from(t, y, position, state);
        break;
    case THEME_LIMITS:
        error_near_limits(t, x, y, state);
        if (random_once_in(state, 2))
            error_again(t, x, y, h, state);
        break;
    default:
        negative_zeros(t, y, state);
        break;
    }
}

void judge_trial_tamper(const judge_trial *t, const uint64_t *x, uint64_t *y, double h,
                        uint64_t *state) {
    if (!t->format) {
        if (!random_once_in(state, 3))
            wrong_here(t, y, state);
        return;
    }
    if (t->many && t->format->precision == 11 && random_once_in(state, 2)) {
        y[0] = step(t, y[0], 1); /* the sum of no terms, where all others are right */
        return;
    }
    if (t->theme != THEME_ANYTHING && !random_once_in(state, 8)) {
        tamper_for_theme(t, x, y, h, state);
        return;
    }
    switch (random_below(state, 24)) {
    case 0:
    case 1:
    case 2:
        wrong_here(t, y, state);
        break;
    case 3:
    case 4:
    case 5:
        boundary_here(t, x, y, state);
        break;
    case 6:
        boundary_often(t, x, y, state);
        break;
    case 7:
        wrong_term(t, x, y, state);
        break;
    case 8:
        other_device(t, x, y, true, state);
        break;
    case 9:
        other_device(t, x, y, false, state);
        break;
    case 10:
        steps_everywhere(t, y, state);
        break;
    case 11:
        negative_zeros(t, y, state);
        break;
    case 12:
    case 13:
    case 14:
        error_again(t, x, y, h, state);
        break;
    case 15:
    case 17:
        error_near_limits(t, x, y, state);
        break;
    case 18:
    case 19:
    case 20:
        error_near_limits(t, x, y, state);
        error_again(t, x, y, h, state);
        break;
    case 21:
        wrong_term(t, x, y, state);
        break;
    case 16:
        boundary_here(t, x, y, state);
        wrong_here(t, y, state);
        break;
    default: /* the outputs of the device */
        break;
    }
}
