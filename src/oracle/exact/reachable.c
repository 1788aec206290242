/* SPDX-License-Identifier: MIT */
/*
 * All orders of additions, by dynamic programming over subsets of the terms: the values of a subset
 * are the sums of a value of one part and a value of the other, for every way to cut it in two. The
 * values of the whole set are not kept: each is compared with y as it is formed. A subset's equal
 * values are kept once, which leaves a few where there may be thousands of trees.
 */
#include "reachable.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binary_format.h"

enum {
    SUBSETS = 1 << REACH_MOST,
    FEW_VALUES = 256, /* for REACH_ALWAYS terms: 4 + 6 + 4 * 3, and with flushing less than 200 */
    KEPT_AS_THEY_ARE = 3
};

/* The values of each subset: values[first[subset]] to values[first[subset + 1] - 1]. */
typedef struct reach_sets {
    reach_arithmetic how;
    double *values;
    size_t room;
    size_t used;
    uint32_t first[SUBSETS + 1];
    reach_visit *visit; /* of each sum of all terms */
    void *context;
} reach_sets;

/* The output that sums are compared with. */
typedef struct reach_output {
    reach_arithmetic how;
    const binary_format *format;
    uint64_t y;
    reach_answer answer;
} reach_output;

bool cumsum_reach_flushes(double value, reach_arithmetic how) {
    if (how != REACH_BINARY32_FLUSH && how != REACH_BINARY64_FLUSH)
        return false;
    return value != 0 && fabs(value) < (how == REACH_BINARY64_FLUSH ? DBL_MIN : (double)FLT_MIN);
}

/* The sum of two numbers of a format of 16 bits. */
static double round_to_half(const binary_format *f, double sum) {
    const uint32_t bits = binary32_bits((float)sum);
    if (format_is_nan(&binary32_format, bits))
        return NAN;
    return format_value(f, half_store(f, bits, CUMSUM_HALF_STORE_IEEE));
}

/* The exact sum of two binary16 numbers, truncated to binary16. Below 2^-14 it is a number of the
 * format; above, the fraction loses the 42 bits that binary64 has more. */
static double truncate_to_binary16(double sum, double overflow) {
    uint64_t bits;
    if (fabs(sum) < 0x1p-14 || !isfinite(sum))
        return sum;
    if (fabs(sum) >= 65536)
        return copysign(overflow, sum);
    memcpy(&bits, &sum, sizeof bits);
    bits &= ~((UINT64_C(1) << 42) - 1);
    memcpy(&sum, &bits, sizeof bits);
    return sum;
}

/* Rounding to 16 bits may go through binary32, and rounding to binary32 through binary64: both
 * have more than twice the bits and two, so that the first rounding is innocuous (Figueroa, "When
 * is double rounding innocuous?", SIGNUM Newsletter 30, 1995). */
static inline double add_as(double a, double b, reach_arithmetic how) {
    const double sum = a + b;
    switch (how) {
    case REACH_BINARY16:
        return round_to_half(&binary16_format, sum);
    case REACH_BFLOAT16:
        return round_to_half(&bfloat16_format, sum);
    case REACH_BINARY16_TRUNCATING:
        return truncate_to_binary16(sum, INFINITY);
    case REACH_BINARY16_SATURATING:
        return truncate_to_binary16(sum, 65504);
    case REACH_BINARY64:
    case REACH_BINARY64_FLUSH:
        return sum;
    default:
        return (double)(float)sum;
    }
}

double cumsum_reach_in_sequence(const double *terms, unsigned count, reach_arithmetic how) {
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum = add_as(sum, terms[i], how);
    return sum;
}

double cumsum_reach_in_blocks(const double *terms, unsigned count, reach_arithmetic how) {
    unsigned block = 1;
    if (count == 1)
        return terms[0];
    while (2 * block < count)
        block *= 2;
    return add_as(cumsum_reach_in_blocks(terms, block, how),
                  cumsum_reach_in_blocks(terms + block, count - block, how), how);
}

/* NaNs come last. */
static int compare_values(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    if (isnan(a) || isnan(b))
        return (isnan(a) != 0) - (isnan(b) != 0);
    return (a > b) - (a < b);
}

/* Keeps equal values of the last subset once. */
static void keep_once(reach_sets *s, size_t first) {
    double *v = s->values + first;
    const size_t count = s->used - first;
    size_t kept = 0;
    if (count <= KEPT_AS_THEY_ARE)
        return;
    qsort(v, count, sizeof *v, compare_values);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_values(&v[kept - 1], &v[i]) != 0)
            v[kept++] = v[i];
    s->used = first + kept;
}

static bool keep(reach_sets *s, double value) {
    if (s->used == s->room)
        return false;
    s->values[s->used++] = value + 0.0; /* -0 becomes +0 */
    return true;
}

/* A subnormal may also be a zero where it may be flushed. */
static bool keep_flushed(reach_sets *s, size_t first) {
    for (size_t i = first; i < s->used; i++)
        if (cumsum_reach_flushes(s->values[i], s->how))
            return keep(s, 0);
    return true;
}

/* Appends the sums of the values of two disjoint subsets. */
static bool add_all(reach_sets *s, size_t first, uint32_t a, uint32_t b) {
    for (size_t i = s->first[a]; i < s->first[a + 1]; i++)
        for (size_t j = s->first[b]; j < s->first[b + 1]; j++) {
            if (s->used == s->room)
                keep_once(s, first);
            if (!keep(s, add_as(s->values[i], s->values[j], s->how)))
                return false;
        }
    return true;
}

/* Calls visit for each way to cut the subset in two parts; the first has its lowest term. */
static bool each_cut(reach_sets *s, uint32_t subset, size_t first,
                     bool (*visit)(reach_sets *, size_t, uint32_t, uint32_t)) {
    const uint32_t lowest = subset & -subset, others = subset ^ lowest;
    for (uint32_t with = others; with;) {
        with = (with - 1) & others;
        if (!visit(s, first, with | lowest, others ^ with))
            return false;
    }
    return true;
}

static bool visit_all(reach_sets *s, size_t first, uint32_t a, uint32_t b) {
    (void)first;
    for (size_t i = s->first[a]; i < s->first[a + 1]; i++)
        for (size_t j = s->first[b]; j < s->first[b + 1]; j++)
            if (!s->visit(s->context, add_as(s->values[i], s->values[j], s->how)))
                return false;
    return true;
}

/* The values of every subset but the whole set. */
static bool fill_subsets(reach_sets *s, const double *terms, uint32_t all) {
    for (uint32_t subset = 1, term = 0; subset < all; subset++) {
        const size_t first = s->used;
        s->first[subset] = (uint32_t)first;
        if (!(subset & (subset - 1)) ? !keep(s, terms[term++])
                                     : !each_cut(s, subset, first, add_all))
            return false;
        if (!keep_flushed(s, first))
            return false;
        keep_once(s, first);
        s->first[subset + 1] = (uint32_t)s->used;
    }
    return true;
}

bool cumsum_reach_each(const double *terms, unsigned count, reach_arithmetic how, double *values,
                       reach_visit *visit, void *context) {
    double few[FEW_VALUES];
    reach_sets s; /* `first` is filled in as it is needed */
    s.how = how;
    s.values = values ? values : few;
    s.room = values ? REACH_ROOM : FEW_VALUES;
    s.used = 0;
    s.visit = visit;
    s.context = context;
    if (count < 2) {
        visit(context, count ? terms[0] : 0);
        return true;
    }
    const uint32_t all = (1u << count) - 1;
    if (!fill_subsets(&s, terms, all))
        return false;
    each_cut(&s, all, 0, visit_all);
    return true;
}

static bool same_output(const reach_output *o, double sum, int store) {
    const binary_format *f = o->format;
    if (isnan(sum) || format_is_nan(f, o->y))
        return isnan(sum) && format_is_nan(f, o->y);
    const uint64_t output =
        f->precision < 24 ? half_store(f, binary32_bits((float)sum), store) : format_bits(f, sum);
    return output == o->y || ((output | o->y) & ~f->sign) == 0;
}

/* Compares a sum of all terms with y. Returns false once nothing more can be found. */
static bool compare_sum(void *context, double sum) {
    reach_output *o = context;
    const int stores = o->format->precision < 24 ? 3 : 1;
    if (cumsum_reach_flushes(sum, o->how))
        sum = 0; /* a device that flushes returns no subnormal */
    for (int store = 0; store < stores; store++)
        if (same_output(o, sum, store))
            o->answer.found |= 1u << store;
    if (sum < o->answer.lower)
        o->answer.lower = sum;
    if (sum > o->answer.upper)
        o->answer.upper = sum;
    return o->answer.found != (1u << stores) - 1;
}

reach_answer cumsum_reach(const double *terms, unsigned count, reach_arithmetic how,
                          const binary_format *output, uint64_t y, double *values) {
    reach_output o = {
        .how = how, .format = output, .y = y, .answer = {.lower = INFINITY, .upper = -INFINITY}};
    o.answer.complete = cumsum_reach_each(terms, count, how, values, compare_sum, &o);
    return o.answer;
}
