/* SPDX-License-Identifier: MIT */
/*
 * Replaces right outputs: by the ends of the intervals that the rules accept and their neighbours,
 * by errors at the limits of the classes, by what another device gives, and by what is plainly
 * wrong. Most lines keep all outputs but one, so that everything that a judgement keeps from output
 * to output is at stake where it stands.
 */
#include "judge_trial.h"

#include "splitmix64.h"

#include <math.h>
#include <stdlib.h>

/* Where a line, vectors or tiles begin and end, and any other place. */
static uint32_t draw_position(const judge_trial *t, uint64_t *state) {
    static const uint32_t blocks[] = {4, 8, 16, 32, 64, 128, 256, 512, 1024};
    const uint32_t any = random_below(state, t->n),
                   near = random_below(state, t->n < 20 ? t->n : 20);
    const uint32_t block = blocks[random_below(state, 9)];
    const uint32_t edge = any / block * block + (random_once_in(state, 2) ? 0 : block - 1);
    switch (random_below(state, 5)) {
    case 0:
        return t->n - 1 - near;
    case 1:
        return near;
    case 2:
        return any;
    default:
        return edge < t->n ? edge : t->n - 1;
    }
}

/* The number of that rank. Beyond the infinities it is a NaN. */
static uint64_t of_rank(const binary_format *f, int64_t rank) {
    return rank < 0 ? f->sign | (uint64_t)-rank : (uint64_t)rank;
}

static uint64_t step(const judge_trial *t, uint64_t y, int64_t by) {
    const uint64_t bits = UINT64_MAX >> (64 - 8 * t->element_size);
    if (!t->format)
        return (y + (uint64_t)by) & bits;
    return format_is_nan(t->format, y) ? y
                                       : of_rank(t->format, format_rank(t->format, y) + by) & bits;
}

/* -1, 0 or 1, or one of more. */
static int64_t draw_step(uint64_t *state) {
    const int64_t few = (int64_t)random_below(state, 3) - 1;
    return random_once_in(state, 5) ? few * (INT64_C(1) << random_below(state, 12)) : few;
}

/* The prefix of an output, from that of one before it. */
static void advance(const judge_trial *t, exact_prefix *p, const uint64_t *x, uint32_t position) {
    while (p->terms < (uint64_t)position + !t->exclusive)
        cumsum_exact_prefix_add(p, x[p->terms]);
}

/* All models, or one of them. */
static rule_options draw_models(const judge_trial *t, uint64_t *state) {
    const rule_rows *rows = rule_rows_of(t->format);
    rule_options how = {.allowed = MODEL(rows->rows[random_below(state, rows->count)].verdict)};
    for (uint32_t i = 0; i < rows->count && random_once_in(state, 4); i++)
        how.allowed |= MODEL(rows->rows[i].verdict);
    return how;
}

/* The last output that the models accept between the expected one and an infinity. */
static uint64_t last_accepted(const exact_prefix *p, const rule_options *how, bool negative) {
    const binary_format *f = p->format;
    int64_t in = format_rank(f, cumsum_exact_prefix_round(p));
    int64_t out = negative ? -(int64_t)f->infinity : (int64_t)f->infinity;
    while (in + 1 < out || out + 1 < in) {
        const int64_t between = in / 2 + out / 2 + (in % 2 + out % 2) / 2;
        *(cumsum_rule(p, of_rank(f, between), how).models ? &in : &out) = between;
    }
    return of_rank(f, in);
}

/* S + c u A or S - c u A, rounded to the type. c is in units of 2^-16. */
static uint64_t at_error(const exact_prefix *p, double c, uint64_t *state) {
    const binary_format *f = p->format;
    wide sum = wide_shift_left(&p->sum, (unsigned)f->precision + 16);
    const wide error = wide_multiply(&p->magnitude, (uint64_t)(fmin(c, 0x1p20) * 0x1p16));
    sum = random_once_in(state, 2) ? wide_add(&sum, &error) : wide_sub(&sum, &error);
    return cumsum_format_round(f, &sum, f->quantum - f->precision - 16, TO_NEAREST);
}

/* The limit of a class. */
static double class_limit(const exact_prefix *p, uint64_t *state) {
    double log2_terms = 0;
    while (p->terms > UINT64_C(1) << (int)log2_terms)
        log2_terms++;
    const double limits[4] = {1, log2_terms, log2_terms, 2 * log2_terms};
    return limits[random_below(state, 4)];
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
        return step(t, at_error(p, class_limit(p, state), state), by);
    case 4:
        return step(t, y, by);
    default:
        return step(t, last_accepted(p, &how, random_once_in(state, 2)), by);
    }
}

/* ---- ways to tamper with a line ---- */

typedef void tampering(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state);

static void boundary_here(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    const uint32_t position = draw_position(t, state);
    exact_prefix p = exact_prefix_of(t->format, NULL);
    advance(t, &p, x, position);
    y[position] = at_boundary(t, &p, y[position], false, state);
}

/* Every output of a part of the line. */
static void boundary_often(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    const uint32_t first = random_once_in(state, 2) ? 0 : draw_position(t, state);
    const uint32_t last = t->n - first > 200 ? first + 200 : t->n;
    exact_prefix p = exact_prefix_of(t->format, NULL);
    for (uint32_t k = first; k < last; k++) {
        advance(t, &p, x, k);
        y[k] = at_boundary(t, &p, y[k], true, state);
    }
}

/* Something that no boundary is near to. */
static void wrong_here(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    const uint32_t position = draw_position(t, state), bits = 8 * t->element_size;
    const uint64_t infinity = t->format ? t->format->infinity : 0;
    const uint64_t sign = UINT64_C(1) << (bits - 1), old = y[position];
    const uint64_t values[] = {random_next(state),
                               old ^ UINT64_C(1) << random_below(state, bits),
                               old ^ sign,
                               infinity | (random_once_in(state, 2) ? sign : 0),
                               infinity | 1,
                               random_once_in(state, 2) ? sign : 0,
                               y[position ? position - 1 : t->n - 1],
                               y[position + 1 < t->n ? position + 1 : 0],
                               step(t, old, draw_step(state))};
    (void)x;
    y[position] = values[random_below(state, 9)] & UINT64_MAX >> (64 - bits);
}

/* Another device computes the outputs from here on, or one of them. */
static void other_device(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    const uint32_t first = draw_position(t, state);
    const uint32_t last = random_once_in(state, 2) ? first + 1 : t->n;
    uint64_t *other = judge_trial_memory(t->n * sizeof *other);
    judge_trial_sum(t, x, other, state);
    for (uint32_t k = first; k < last; k++)
        y[k] = other[k];
    free(other);
}

/* y - S, nearly, A and the range of S. */
typedef struct error_walk {
    uint32_t terms;
    double sum;
    double lost; /* by the additions to it */
    double magnitude;
    double top;
    double bottom;
} error_walk;

static double walk_to(const judge_trial *t, error_walk *w, const uint64_t *x, uint32_t position,
                      uint64_t y) {
    for (; w->terms < position + !t->exclusive; w->terms++) {
        const double term = format_value(t->format, x[w->terms]), sum = w->sum + term;
        const double part = sum - w->sum;
        w->lost += (w->sum - (sum - part)) + (term - part);
        w->sum = sum;
        w->magnitude += fabs(term);
        w->top = fmax(w->top, sum);
        w->bottom = fmin(w->bottom, sum);
    }
    return (format_value(t->format, y) - w->sum) - w->lost;
}

/* An error near a limit of a class: below it at the end of a line, so that h becomes large and the
 * class stays, or above it near the start, where limits are lower. */
static void error_near_limits(const judge_trial *t, const uint64_t *x, uint64_t *y,
                              uint64_t *state) {
    const bool late = random_once_in(state, 2);
    const uint32_t place = random_below(state, t->n < 80 ? t->n : 80);
    const uint32_t position = late ? t->n - 1 - place / 4 : place;
    const double off = (double)random_below(state, 64) / 64;
    exact_prefix p = exact_prefix_of(t->format, NULL);
    advance(t, &p, x, position);
    const double limit = class_limit(&p, state);
    y[position] =
        step(t, at_error(&p, fmax(0, late ? limit - off : limit + off), state), draw_step(state));
}

/* An error near that of all additions that may round, but the last one; if the first such error is
 * large, a class is lost that a second one would be too large for. */
static void error_near_bound(const judge_trial *t, const uint64_t *x, uint64_t *y,
                             uint64_t *state) {
    const uint32_t first = t->n < 5 ? t->n : 5;
    const uint32_t position =
        random_once_in(state, 3) ? random_below(state, first) : draw_position(t, state);
    exact_prefix p = exact_prefix_of(t->format, NULL);
    advance(t, &p, x, position);
    const double roundings = (double)cumsum_exact_prefix_roundings(&p, t->format->precision);
    y[position] = at_error(&p, fmax(0, roundings - 2 + (double)random_below(state, 24) / 8), state);
}

/* From somewhere on an error near a limit of doubt or of verdict 1 under one of the models: that of
 * a sum of neighbours, of a jump, of a balanced tree, or of any order. A jump or a tree that would
 * fail has an error that passes. */
static void error_near_doubt(const judge_trial *t, const uint64_t *x, uint64_t *y,
                             uint64_t *state) {
    const rule_rows *rows = rule_rows_of(t->format);
    const arithmetic *sums = rows->rows[random_below(state, rows->count)].sums;
    const double v =
        sums->accumulator->unit_roundoff * (sums->rounding == CUMSUM_ROUNDING_TOWARD_ZERO ? 2 : 1);
    const bool beside = t->theme == THEME_BESIDE;
    const uint32_t first =
        beside ? t->n - 1 - random_below(state, t->n / 3 + 1) : draw_position(t, state);
    const uint32_t last = random_once_in(state, 3) ? first + 1 : t->n;
    error_walk w = {0};
    walk_to(t, &w, x, first, y[first]);
    const double range = v * (w.top - w.bottom), log2_terms = log2(w.terms + 1);
    const double neighbours = range * w.terms, any = v * w.magnitude * fmax(w.terms - 2.0, 0);
    const double most = 0.9 * fmin(neighbours, any);
    const double limits[] = {neighbours, fmin(16 * range * (floor(log2_terms) + 1), most),
                             fmin(2 * v * w.magnitude * ceil(log2_terms), most), any};
    const uint32_t limit = beside ? t->limit / 8 : random_below(state, 4);
    const double size = limits[limit] * random_between(state, 114, 140) / 128;
    const double error = random_once_in(state, 2) ? size : -size;
    const bool swings = random_once_in(state, 3); /* most of it before, with the other sign */
    for (uint32_t k = swings ? first / 2 : first; k < last; k++) {
        const double part = k < first ? -0.45 * error : swings ? 0.55 * error : error;
        y[k] = cumsum_round_sum(t->format, format_value(t->format, y[k]) + part, 0, TO_NEAREST);
    }
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
    exact_prefix p = exact_prefix_of(t->format, NULL);
    advance(t, &p, x, position);
    y[position] = step(t, at_error(&p, (double)random_below(state, 96) / 32, state), 0);
}

/* Where S lies nearly halfway between two numbers, the other one; at any such place. */
static void other_neighbour(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    error_walk w = {0};
    uint32_t position = 0, places = 0;
    uint64_t there = y[0];
    for (uint32_t k = 0; k < t->n; k++) {
        const double error = walk_to(t, &w, x, k, y[k]);
        const uint64_t other = step(t, y[k], error > 0 ? -1 : 1);
        const double ratio = fabs(walk_to(t, &w, x, k, other) / error);
        if (ratio >= 1 && ratio < 1 + 0x1p-8 && random_once_in(state, ++places)) {
            position = k;
            there = other;
        }
    }
    y[position] = there;
}

/* Zeros of the other sign, some or one of them. */
static void negative_zeros(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    const uint32_t seldom = random_once_in(state, 2) ? 2 : t->n / 4 + 1;
    (void)x;
    for (uint32_t k = draw_position(t, state); k < t->n; k++)
        if (!(y[k] & ~t->format->sign) && random_once_in(state, seldom))
            y[k] ^= t->format->sign;
}

/* From somewhere on most outputs are one of these, or what they are not. */
static void wrong_from(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    const uint64_t other = y[draw_position(t, state)];
    const uint32_t kind = random_below(state, 4), seldom = random_between(state, 1, 9);
    (void)x;
    for (uint32_t k = random_below(state, t->n < 40 ? t->n : 40); k < t->n; k++)
        if (!random_once_in(state, seldom + 1))
            y[k] = kind == 0   ? other
                   : kind == 1 ? y[k] ^ t->format->sign
                   : kind == 2 ? step(t, y[k], (int64_t)random_below(state, 1u << 20))
                               : 0;
}

/* What suits a theme, and what any line may have. */
static tampering *const themes[][2] = {
    [THEME_NEAR_TIES] = {other_neighbour, other_neighbour},
    [THEME_SPARSE] = {error_of_few_terms, boundary_here},
    [THEME_LIMITS] = {error_near_limits, error_near_limits},
    [THEME_FAILS] = {wrong_from, wrong_from},
    [THEME_ZEROS] = {negative_zeros, negative_zeros},
    [THEME_DOUBT] = {error_near_doubt, error_near_doubt},
};
static tampering *const any[] = {wrong_here,     boundary_here,     boundary_often,
                                 other_device,   other_device,      wrong_from,
                                 negative_zeros, error_near_limits, error_near_doubt};

static tampering *const beside[8] = {error_near_doubt,  error_near_doubt, error_near_doubt,
                                     error_near_bound,  boundary_here,    error_of_few_terms,
                                     error_near_limits, other_neighbour};

void judge_trial_tamper(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    if (!t->format && random_once_in(state, 3))
        return;
    tampering *how = t->theme == THEME_BESIDE ? beside[t->limit % 8]
                     : !t->format             ? wrong_here
                     : t->bounds && !random_once_in(state, 4)
                         ? (random_once_in(state, 2) ? error_near_bound : error_near_doubt)
                     : t->theme == THEME_ANYTHING || random_once_in(state, 8)
                         ? any[random_below(state, sizeof any / sizeof any[0])]
                         : themes[t->theme][random_below(state, 2)];
    how(t, x, y, state);
}
