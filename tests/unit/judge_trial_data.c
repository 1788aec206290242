/* SPDX-License-Identifier: MIT */
/* Elements that are hard to add, and their sums in the orders and arithmetics of devices. */
#include "judge_trial.h"

#include "oracle_data.h"
#include "order_scan.h"

#include <stdlib.h>

/* Beyond those of oracle_data.h. */
typedef enum trial_family {
    TRIAL_CANCEL_LAST = DATA_FAMILIES, /* each term is the last one, negated, but for a few ulps */
    TRIAL_CANCEL_SUM, /* each term is the sum before it, negated, and a small one */
    TRIAL_WIDE,       /* positive, over 20 binades or 50 */
    TRIAL_CONSTANT,
    TRIAL_NEAR_TIES,    /* 1, and then terms around half of its last place */
    TRIAL_LARGE_BEFORE, /* one or two large terms, and then small ones */
    TRIAL_FULL,         /* terms that add up to about the largest number */
    TRIAL_GROWING,      /* integers that fill the significand in the end */
    TRIAL_SPARSE,       /* zeros of both signs, and a few other terms */
    TRIAL_JUMPS,        /* small terms, and from somewhere on much larger ones */
    TRIAL_FRACTION,     /* integers, but for a few fractions */
    TRIAL_DEEP,         /* large terms that cancel, some with few bits, and others far below their
                           last places */
    TRIAL_STILL,        /* zeros, 1, and halves of its last place, which are lost: errors 1, 2, ...
                         */
    TRIAL_LARGE,        /* a constant and then its negative, and between them the smallest number */
    TRIAL_FAMILIES
} trial_family;

/* What a line keeps from element to element. */
typedef struct line_draw {
    trial_family family;
    double scale;
    uint32_t often; /* of terms that are like most others, one is not */
    uint32_t few;   /* TRIAL_SPARSE: terms that may still be other than zero */
    uint32_t deep;  /* TRIAL_DEEP: binades between large terms and others, beyond `often` */
    uint32_t one;   /* TRIAL_STILL: where 1 stands, */
    uint32_t lost;  /* and how many terms are lost behind it */
    uint32_t more;  /* TRIAL_NEAR_TIES: 2 if terms may be a little more than half a place; else 1 */
    double last;
    double sum;
} line_draw;

static double unit(uint64_t *state) {
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

static double draw_value(const judge_trial *t, line_draw *d, uint32_t k, uint64_t *state) {
    const double u = t->format->unit_roundoff;
    const double sign = random_once_in(state, 2) ? -1 : 1;
    const int binades = t->format->precision == 11 ? 20 : 50;
    const uint32_t from_middle = k < t->n / 2 ? t->n - 1 - 2 * k : 2 * k + 1 - t->n; /* doubled */
    switch (d->family) {
    case TRIAL_CANCEL_LAST:
        return k % 2 == 0          ? unit(state) * d->scale
               : d->often % 2 == 0 ? -d->last
                                   : -d->last * (1 + (double)random_below(state, 5) * u);
    case TRIAL_CANCEL_SUM:
        return k % 3 == 1 ? -d->sum : sign * unit(state) * d->scale * (k % 3 ? u * 4 : 1);
    case TRIAL_WIDE:
        return ldexp(1 + unit(state), (int)random_below(state, (uint32_t)binades) - binades / 2);
    case TRIAL_CONSTANT:
        return d->scale;
    case TRIAL_NEAR_TIES:
        if (k > 0 && random_once_in(state, d->often))
            return d->sum > 1.1 ? -0.25 : 0.25;
        if (k > 0 && random_once_in(state, d->often))
            return sign * u * ldexp(u, (int)random_below(state, 24) - 16);
        return k == 0 ? 1 : sign * u * (1 + (double)random_below(state, d->more) * u * 4);
    case TRIAL_LARGE_BEFORE:
        if (k == 1 && d->often % 2)
            return -0.9 * d->last;
        return k == 0 ? d->scale * 1024 : sign * unit(state) * d->scale * u * 64;
    case TRIAL_FULL:
        return format_largest(t->format) / t->n * (0.5 + unit(state)) * (0.9 + d->often / 120.0);
    case TRIAL_GROWING:
        return floor(unit(state) / u * 4 / t->n) * (double)(1 + random_below(state, 2));
    case TRIAL_SPARSE:
        if (d->few == 0 || !random_once_in(state, d->often))
            return copysign(0, sign);
        d->few--;
        return sign * unit(state);
    case TRIAL_JUMPS:
        if (random_once_in(state, 8 * d->often))
            d->scale *= ldexp(1, (int)random_below(state, 20));
        return sign * unit(state) * d->scale;
    case TRIAL_FRACTION:
        return random_once_in(state, 4 * d->often) ? ldexp(1, -(int)random_below(state, 20))
                                                   : sign * (double)random_below(state, 9);
    case TRIAL_DEEP:
        return k % 3 ? (k % 3 == 2 ? -d->last : d->scale * (d->often % 2 ? unit(state) : 1))
                     : sign * ldexp(unit(state), -4 * (int)d->often - (int)d->deep -
                                                     (int)random_below(state, 30));
    case TRIAL_LARGE:
        return from_middle < t->n / 8 && from_middle % d->often == 1 ? 0x1p-24
               : k < t->n / 2                                        ? 61440
                                                                     : -61440;
    default:
        return k == d->one ? 1 : k > d->one && k <= d->one + d->lost ? u : 0;
    }
}

/* Two of three lines have a family of their theme. */
static trial_family draw_family(const judge_trial *t, uint64_t *state) {
    static const uint8_t themes[][2] = {[THEME_NEAR_TIES] = {TRIAL_NEAR_TIES, TRIAL_DEEP},
                                        [THEME_SPARSE] = {TRIAL_SPARSE, TRIAL_SPARSE},
                                        [THEME_LIMITS] = {TRIAL_CANCEL_LAST, TRIAL_STILL},
                                        [THEME_FAILS] = {TRIAL_DEEP, DATA_SUBNORMAL},
                                        [THEME_ZEROS] = {TRIAL_GROWING, TRIAL_CANCEL_LAST},
                                        [THEME_DOUBT] = {DATA_UNIFORM, DATA_SIGNED},
                                        [THEME_LARGE] = {TRIAL_LARGE, TRIAL_LARGE}};
    static const uint8_t exact[] = {TRIAL_CONSTANT, TRIAL_FRACTION, DATA_INTEGERS, TRIAL_GROWING,
                                    TRIAL_LARGE_BEFORE};
    if (t->theme == THEME_BESIDE && judge_trial_is_rounded(t))
        return random_once_in(state, 3) ? TRIAL_DEEP : TRIAL_NEAR_TIES;
    if (t->theme == THEME_BESIDE && t->format->precision == 11 && random_once_in(state, 2))
        return (trial_family)exact[random_below(state, 5)];
    if (t->theme == THEME_BESIDE || t->theme == THEME_ANYTHING ||
        (t->theme != THEME_LARGE && random_once_in(state, 3)))
        return (trial_family)random_below(state, TRIAL_FAMILIES);
    return (trial_family)themes[t->theme][random_below(state, 2)];
}

/* NaN, infinities, zeros, the ends of the format. */
static void put_specials(const judge_trial *t, uint64_t *x, uint64_t *state) {
    const uint64_t infinity = t->format->infinity;
    const uint64_t values[] = {infinity, infinity | 1, infinity | infinity >> 1, 0,
                               1,        infinity - 1};
    for (uint32_t count = random_between(state, 1, 3); count > 0; count--)
        x[random_below(state, t->n)] =
            values[random_below(state, 6)] | (random_once_in(state, 2) ? t->format->sign : 0);
}

static void fill_integers(const judge_trial *t, uint64_t *x, uint64_t *state) {
    const bool small = random_once_in(state, 3);
    for (uint32_t k = 0; k < t->n; k++)
        x[k] = t->theme == THEME_ZEROS ? 0 : small ? random_below(state, 100) : random_next(state);
}

void judge_trial_fill(const judge_trial *t, uint64_t *x, uint64_t *state) {
    static const double scales[] = {1, 1, 0.1, 1000, 0x1p-10, 3, 0x1p-13, 60};
    if (!t->format) {
        fill_integers(t, x, state);
        return;
    }
    line_draw d = {.family = draw_family(t, state),
                   .scale = scales[random_below(state, 8)],
                   .often = random_between(state, 2, 24),
                   .few = UINT32_MAX,
                   .deep = random_once_in(state, 2) ? random_below(state, 80) : 0,
                   .one = random_between(state, random_once_in(state, 8) ? 0 : t->n * 2 / 3, t->n),
                   .lost = random_below(state, 6),
                   .more = t->theme == THEME_BESIDE ? 1 : 2};
    if (d.family == TRIAL_LARGE_BEFORE && t->format->precision == 11 && random_once_in(state, 2))
        d.scale = 63.96875; /* the first term is the largest number */
    else if (t->format->precision == 11 && random_once_in(state, 2))
        d.scale = random_between(state, 1, 2048) * 0x1p-11;
    if (t->options.reachable && random_once_in(state, 2)) { /* the rest of the line has no more */
        d.often = random_between(state, 1, 4);
        d.few = random_between(state, REACH_ALWAYS + 1, REACH_MOST);
    }
    for (uint32_t k = 0; k < t->n; k++) {
        if (d.family < TRIAL_CANCEL_LAST)
            x[k] = family_bits(t->type, (data_family)d.family, k, state);
        else
            x[k] = cumsum_round_sum(t->format, draw_value(t, &d, k, state), 0, TO_NEAREST);
        d.last = format_value(t->format, x[k]);
        d.sum = arithmetic_add_nearest(t->format, d.sum, d.last);
    }
    if (random_once_in(state, 10) && t->theme == THEME_ANYTHING)
        put_specials(t, x, state);
}

void judge_trial_alter(const judge_trial *t, uint64_t *x, uint64_t *state) {
    const uint32_t bits = t->format ? (uint32_t)t->format->precision - 1 : 8;
    for (uint32_t count = random_between(state, 1, 3); count > 0; count--)
        x[random_below(state, random_once_in(state, 2) && t->n > 4 ? 4 : t->n)] ^=
            UINT64_C(1) << random_below(state, bits);
}

/* A device: the order that it adds in, and a row of the type's. It flushes subnormals always. */
typedef struct device {
    cumsum_named_order order;
    arithmetic how;
    bool from_first; /* the sum begins with the first term, not with 0: it may be -0 */
} device;

static device draw_device(const judge_trial *t, uint64_t *state) {
    static const cumsum_named_order orders[] = {CUMSUM_NAMED_SEQUENTIAL,
                                                CUMSUM_NAMED_SEQUENTIAL,
                                                CUMSUM_NAMED_BLOCKED,
                                                CUMSUM_NAMED_EXACT,
                                                CUMSUM_NAMED_SEQUENTIAL_BINARY64,
                                                CUMSUM_NAMED_HILLIS_STEELE,
                                                CUMSUM_NAMED_SKLANSKY,
                                                CUMSUM_NAMED_BLELLOCH};
    const rule_rows *rows = rule_rows_of(t->format);
    const uint32_t row = t->sequential ? 0 : random_below(state, rows->count);
    device d = {.order = t->sequential ? CUMSUM_NAMED_SEQUENTIAL : orders[random_below(state, 8)],
                .how = *rows->rows[row].sums,
                .from_first = random_once_in(state, 4)};
    /* A store that differs from that of row 0 near infinity alone. */
    if (t->theme == THEME_BESIDE && t->type == CUMSUM_DATA_TYPE_FLOAT16 && random_once_in(state, 4))
        d.how = *rows->rows[2].sums;
    else if (judge_trial_is_rounded(t))
        d.order = CUMSUM_NAMED_EXACT;
    if (d.order == CUMSUM_NAMED_SEQUENTIAL_BINARY64)
        d.how.accumulator = &binary64_format;
    return d;
}

static double add_as_device(void *device_how, double a, double b) {
    const arithmetic *how = device_how;
    const double sum = arithmetic_add(a, b, how);
    return arithmetic_flushes(how) && fabs(sum) < format_least_normal(how->accumulator)
               ? copysign(0, sum)
               : sum;
}

static void add_in_sequence(device *d, double *v, uint32_t n) {
    double sum = d->from_first ? -0.0 : 0;
    for (uint32_t k = 0; k < n; k++)
        v[k] = sum = k == 0 && d->from_first ? v[0] : add_as_device(&d->how, sum, v[k]);
}

static uint64_t output_of(const judge_trial *t, const device *d, double sum) {
    if (d->how.store == STORE_AS_ROUNDED)
        return cumsum_round_sum(t->format, sum, 0, rounding_end(d->how.rounding, false));
    return isnan(sum)
               ? t->format->infinity | 1
               : half_store(t->format, binary32_bits((float)sum), arithmetic_half_store(&d->how));
}

static void sum_exactly(const judge_trial *t, const uint64_t *x, uint64_t *y) {
    exact_prefix p = exact_prefix_of(t->format, NULL);
    for (uint32_t k = 0; k < t->n; k++) {
        if (!t->exclusive || k > 0)
            cumsum_exact_prefix_add(&p, x[k - t->exclusive]);
        y[k] = cumsum_rule_expected(&p);
    }
}

void judge_trial_sum(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    if (!t->format) {
        for (uint32_t k = 0; k < t->n; k++)
            y[k] = (k ? y[k - 1] : 0) + (t->exclusive ? (k ? x[k - 1] : 0) : x[k]);
        return;
    }
    device d = draw_device(t, state);
    if (d.order == CUMSUM_NAMED_EXACT) {
        sum_exactly(t, x, y);
        return;
    }
    const cumsum_order_match match = {.order = d.order};
    const cumsum_composed_order *levels = order_levels(&match);
    const uint64_t scratch = levels ? cumsum_order_scratch(levels, t->n) : 0;
    double *v = judge_trial_memory((t->n + scratch) * sizeof *v);
    for (uint32_t k = 0; k < t->n; k++) {
        const bool flushed = arithmetic_flushes(&d.how) && format_is_subnormal(t->format, x[k]);
        v[k] = format_value(t->format, flushed ? x[k] & t->format->sign : x[k]);
    }
    if (levels)
        cumsum_order_scan(levels, v, t->n, false, v + t->n, add_as_device, &d.how);
    else
        add_in_sequence(&d, v, t->n);
    for (uint32_t k = 0; k < t->n; k++)
        y[k] = !t->exclusive ? output_of(t, &d, v[k]) : k ? output_of(t, &d, v[k - 1]) : 0;
    free(v);
}
