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
    TRIAL_WIDE,       /* positive, over 40 binades or more */
    TRIAL_CONSTANT,
    TRIAL_NEAR_TIES,    /* 1, and then terms around half of its last place */
    TRIAL_TIE,          /* 1 and half of its last place, and then terms far below, or that cancel */
    TRIAL_LARGE_BEFORE, /* a large term, and then small ones */
    TRIAL_GROWING,      /* integers that fill the significand in the end */
    TRIAL_SPARSE,       /* zeros of both signs, and a few other terms */
    TRIAL_JUMPS,        /* small terms, and from somewhere on much larger ones */
    TRIAL_FRACTION,     /* integers, but for a few fractions */
    TRIAL_DEEP,         /* large terms that cancel, and others far below their last places */
    TRIAL_NORMAL,       /* around 0, the sum of uniform ones */
    TRIAL_FAMILIES
} trial_family;

static double unit(uint64_t *state) {
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

uint64_t judge_trial_bits(const binary_format *f, double value) {
    if (f->precision >= 24)
        return format_bits(f, value);
    return isnan(value) ? f->infinity | 1
                        : half_store(f, binary32_bits((float)value), CUMSUM_HALF_STORE_IEEE);
}

/* What a line keeps from element to element. */
typedef struct line_draw {
    trial_family family;
    double scale;
    uint32_t often; /* of terms that are like most others, one is not */
    uint32_t few;   /* TRIAL_SPARSE: terms that may still be other than zero */
    uint32_t deep; /* TRIAL_DEEP: binades between large terms and others, beyond those of `often` */
    double last;
    double sum;
} line_draw;

static double draw_value(const judge_trial *t, line_draw *d, uint32_t k, uint64_t *state) {
    const double u = t->format->unit_roundoff;
    const double sign = random_once_in(state, 2) ? -1 : 1;
    switch (d->family) {
    case TRIAL_CANCEL_LAST:
        return k % 2 == 0          ? unit(state) * d->scale
               : d->often % 2 == 0 ? -d->last
                                   : -d->last * (1 + (double)random_below(state, 5) * u);
    case TRIAL_CANCEL_SUM:
        return k % 3 == 1 ? -d->sum : sign * unit(state) * d->scale * (k % 3 ? u * 4 : 1);
    case TRIAL_WIDE:
        return ldexp(1 + unit(state),
                     (int)random_below(state, t->format->precision == 11 ? 20 : 50) -
                         (t->format->precision == 11 ? 14 : 25));
    case TRIAL_CONSTANT:
        return d->scale;
    case TRIAL_NEAR_TIES:
        if (k > 0 && random_once_in(state, d->often))
            return d->sum > 1.1 ? -0.25 : 0.25;
        if (k > 0 && random_once_in(state, d->often))
            return sign * u * ldexp(u, (int)random_below(state, 10) - 8);
        return k == 0 ? 1 : sign * u * (1 + (double)random_below(state, 2) * u * 4);
    case TRIAL_TIE:
        if (k % 8 > 5)
            return k % 8 == 6 ? -0.25 : 0.25;
        return k == 0 ? 1 : k == 1 ? u : sign * ldexp(u, -32 - (int)random_below(state, 32));
    case TRIAL_LARGE_BEFORE:
        return k == 0 ? d->scale * 1024 : sign * unit(state) * d->scale * u * 64;
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
        return k % 3 ? (k % 3 == 1 ? unit(state) * d->scale : -d->last)
                     : sign * ldexp(unit(state), -4 * (int)d->often - (int)d->deep -
                                                     (int)random_below(state, 30));
    default:
        return (unit(state) + unit(state) + unit(state) - 1.5) * d->scale;
    }
}

/* NaN, infinities, zeros, the ends of the format. */
static void put_specials(const judge_trial *t, uint64_t *x, uint64_t *state) {
    const binary_format *f = t->format;
    const uint64_t values[] = {f->infinity,
                               f->infinity | f->sign,
                               f->infinity | 1,
                               f->infinity | f->sign | f->infinity >> 1,
                               0,
                               f->sign,
                               1,
                               f->infinity - 1,
                               f->sign | 1,
                               (f->infinity - 1) | f->sign};
    for (uint32_t count = random_between(state, 1, 3); count > 0; count--)
        x[random_below(state, t->n)] = values[random_below(state, 10)];
}

/* A sum that stands still: 1, and halves of its last place, between zeros. Each of them is lost,
 * and the errors are 1, 2, 3, ... Few lines have them so early that they leave the class
 * h<=log2(m). */
static void fill_still(const judge_trial *t, uint64_t *x, uint64_t *state) {
    uint32_t first = random_between(state, t->n * 2 / 3, t->n - 1), lost = random_below(state, 6);
    if (random_once_in(state, 40)) {
        lost = random_once_in(state, 2) ? 3 : 5;
        first = lost == 3 ? 0 : random_between(state, 8, 10);
    }
    const double half = t->format->unit_roundoff;
    for (uint32_t k = 0; k < t->n; k++)
        x[k] = judge_trial_bits(t->format, k == first                       ? 1
                                           : k > first && k <= first + lost ? half
                                                                            : 0);
}

static void fill_integers(const judge_trial *t, uint64_t *x, uint64_t *state) {
    const bool small = random_once_in(state, 3), zero = t->theme == THEME_ZEROS;
    for (uint32_t k = 0; k < t->n; k++)
        x[k] = zero ? 0 : small ? random_below(state, 100) : random_next(state);
}

/* A theme has families of its own, mostly. */
static trial_family family_of(const judge_trial *t, trial_family any, uint64_t *state) {
    switch (t->theme) {
    case THEME_NEAR_TIES:
        return random_once_in(state, 4) ? TRIAL_DEEP : TRIAL_NEAR_TIES;
    case THEME_SPARSE:
        return TRIAL_SPARSE;
    case THEME_ZEROS:
        return random_once_in(state, 3) ? TRIAL_GROWING : TRIAL_CANCEL_LAST;
    case THEME_LIMITS:
        return random_once_in(state, 2) ? TRIAL_CANCEL_LAST : any;
    case THEME_FAILS:
        return random_once_in(state, 4)   ? TRIAL_TIE
               : random_once_in(state, 3) ? TRIAL_DEEP
               : random_once_in(state, 3) ? (trial_family)DATA_SUBNORMAL
                                          : any;
    default:
        return any;
    }
}

void judge_trial_fill(const judge_trial *t, uint64_t *x, uint64_t *state) {
    static const double scales[] = {1, 1, 0.1, 1000, 0x1p-10, 3, 0x1p-13, 60};
    if (!t->format) {
        fill_integers(t, x, state);
        return;
    }
    if (t->many && t->theme == THEME_LIMITS) {
        fill_still(t, x, state);
        return;
    }
    line_draw d = {.family = (trial_family)random_below(state, TRIAL_FAMILIES),
                   .scale = scales[random_below(state, 8)],
                   .often = random_between(state, 2, 24),
                   .few = UINT32_MAX};
    d.family = family_of(t, d.family, state);
    if (t->options.reachable && random_once_in(state, 2)) { /* the rest of the line has no more */
        d.often = random_between(state, 1, 4);
        d.few = random_between(state, REACH_ALWAYS + 1, REACH_MOST);
    }
    uint64_t of_depth = *state; /* a stream of its own: the other draws stay the same */
    if (t->deep) {
        d.family = TRIAL_DEEP;
        d.deep = random_below(&of_depth, 80);
    }
    for (uint32_t k = 0; k < t->n; k++) {
        if (d.family < TRIAL_CANCEL_LAST)
            x[k] = family_bits(t->type, (data_family)d.family, k, state);
        else
            x[k] = judge_trial_bits(t->format, draw_value(t, &d, k, state));
        d.last = format_value(t->format, x[k]);
        d.sum = format_value(t->format, judge_trial_bits(t->format, d.sum + d.last));
    }
    if (random_once_in(state, 10) && t->theme == THEME_ANYTHING)
        put_specials(t, x, state);
}

/* A device: the order and the arithmetic that it adds in. */
typedef struct device {
    cumsum_named_order order;
    arithmetic how;
    bool narrow;     /* FLOAT16, BFLOAT16: sums of the type */
    bool truncates;  /* FLOAT16: each of these is truncated; */
    bool saturates;  /* what is too large is 65504 */
    bool from_first; /* the sum begins with the first term, not with 0: it may be -0 */
    int store;
} device;

static device draw_device(const judge_trial *t, uint64_t *state) {
    static const cumsum_named_order orders[] = {
        CUMSUM_NAMED_SEQUENTIAL,    CUMSUM_NAMED_SEQUENTIAL,
        CUMSUM_NAMED_SEQUENTIAL,    CUMSUM_NAMED_BLOCKED,
        CUMSUM_NAMED_BLOCKED,       CUMSUM_NAMED_EXACT,
        CUMSUM_NAMED_HILLIS_STEELE, CUMSUM_NAMED_HILLIS_STEELE,
        CUMSUM_NAMED_SKLANSKY,      CUMSUM_NAMED_SEQUENTIAL_BINARY64,
        CUMSUM_NAMED_BLELLOCH,      CUMSUM_NAMED_SEQUENTIAL_BINARY64};
    const bool half = t->format && t->format->precision < 24;
    device d = {.order = orders[random_below(state, 12)], .how = {.accumulator = t->format}};
    d.narrow = half && random_once_in(state, 2);
    d.truncates = d.narrow && t->format->precision == 11 && random_once_in(state, 3);
    d.saturates = d.truncates && random_once_in(state, 2);
    if (d.truncates)
        d.order = CUMSUM_NAMED_SEQUENTIAL;
    d.from_first = random_once_in(state, 4);
    if (!half && random_once_in(state, 4))
        d.how.flush_results = CUMSUM_FLUSH_MUST;
    if (half && !d.narrow)
        d.how.accumulator = &binary32_format;
    d.store = d.narrow ? CUMSUM_HALF_STORE_IEEE
                       : (int)random_below(state, half && t->format->precision == 8 ? 2 : 3);
    return d;
}

/* The sum of two binary16 numbers is exact in binary64. */
static double add_truncated(double a, double b, bool saturates) {
    const double exact = a + b;
    if (!(fabs(exact) < 65536))
        return isfinite(exact) && saturates ? copysign(65504, exact)
               : isnan(exact)               ? exact
                                            : copysign(INFINITY, exact);
    int exponent;
    (void)frexp(exact, &exponent);
    const double last = ldexp(1, exponent - 11 < -24 ? -24 : exponent - 11);
    return trunc(exact / last) * last;
}

static void add_in_sequence(const device *d, double *v, uint32_t n) {
    double running = d->from_first ? v[0] : 0;
    for (uint32_t k = 0; k < n; k++) {
        if (k > 0 || !d->from_first)
            running = d->truncates ? add_truncated(running, v[k], d->saturates)
                      : d->order == CUMSUM_NAMED_SEQUENTIAL_BINARY64
                          ? running + v[k]
                          : order_add(running, v[k], &d->how);
        v[k] = running;
    }
}

static uint64_t output_of(const judge_trial *t, const device *d, double sum) {
    if (t->format->precision >= 24)
        return format_bits(t->format, sum);
    return isnan(sum) ? t->format->infinity | 1
                      : half_store(t->format, binary32_bits((float)sum), d->store);
}

void judge_trial_exact(const judge_trial *t, const uint64_t *x, uint64_t *y) {
    exact_prefix p = exact_prefix_empty(t->format);
    for (uint32_t k = 0; k < t->n; k++) {
        if (t->exclusive)
            y[k] = cumsum_rule_expected(&p);
        cumsum_exact_prefix_add(&p, x[k]);
        if (!t->exclusive)
            y[k] = cumsum_rule_expected(&p);
    }
}

static void sum_integers(const judge_trial *t, const uint64_t *x, uint64_t *y) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        y[k] = t->exclusive ? sum : sum + x[k];
        sum += x[k];
    }
}

void judge_trial_sum(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state) {
    device d = draw_device(t, state);
    /* Lines that are accepted by steps, or side by side. */
    if (t->sequential || (t->many && random_once_in(state, 2))) {
        const binary_format *sums = t->format->precision < 24 ? &binary32_format : t->format;
        d = (device){
            .order = CUMSUM_NAMED_SEQUENTIAL, .how = {.accumulator = sums}, .store = d.store};
    }
    if (!t->format) {
        sum_integers(t, x, y);
        return;
    }
    if (d.order == CUMSUM_NAMED_EXACT || t->theme == THEME_NEAR_TIES) {
        judge_trial_exact(t, x, y);
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
        cumsum_order_scan(levels, v, t->n, false, v + t->n, cumsum_order_addition, &d.how);
    else
        add_in_sequence(&d, v, t->n);
    for (uint32_t k = 0; k < t->n; k++)
        y[k] = !t->exclusive ? output_of(t, &d, v[k]) : k ? output_of(t, &d, v[k - 1]) : 0;
    free(v);
}
