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
    FEW_VALUES = 512, /* for REACH_ALWAYS terms: 4 + 6 + 4 * 3, with either neighbour 4 + 12 + 48;
                         with flushing less than 200, of either neighbour 480 */
    KEPT_AS_THEY_ARE = 3
};

/* The output that sums are compared with. */
typedef struct reach_output {
    const arithmetic *how;
    const binary_format *format;
    uint64_t y;
    bool is_term; /* nothing is added */
    reach_answer answer;
} reach_output;

/* The values of each subset: values[first[subset]] to values[first[subset + 1] - 1]. */
typedef struct reach_sets {
    const arithmetic *how;
    const reach_terms *terms;
    double least_term; /* a term, or a sum, below it in magnitude is subnormal */
    double least_sum;
    double *values;
    size_t room;
    size_t used;
    size_t begin; /* of the values of the last subset */
    uint32_t first[SUBSETS + 1];
    reach_output *output; /* with which each sum of all terms is compared */
} reach_sets;

static bool is_subnormal_below(double value, double least) {
    return value != 0 && fabs(value) < least;
}

double cumsum_reach_in_sequence(const double *terms, unsigned count, const arithmetic *how) {
    double sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum = arithmetic_add(sum, terms[i], how);
    return sum;
}

double cumsum_reach_in_blocks(const double *terms, unsigned count, const arithmetic *how) {
    unsigned block = 1;
    if (count == 1)
        return terms[0];
    while (2 * block < count)
        block *= 2;
    return arithmetic_add(cumsum_reach_in_blocks(terms, block, how),
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
static void keep_once(reach_sets *s) {
    double *v = s->values + s->begin;
    const size_t count = s->used - s->begin;
    size_t kept = 0;
    if (count <= KEPT_AS_THEY_ARE)
        return;
    qsort(v, count, sizeof *v, compare_values);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_values(&v[kept - 1], &v[i]) != 0)
            v[kept++] = v[i];
    s->used = s->begin + kept;
}

static bool keep(reach_sets *s, double value) {
    if (s->used == s->room)
        return false;
    s->values[s->used++] = value + 0.0; /* -0 becomes +0 */
    return true;
}

/* A subnormal may also be a zero where it may be flushed. */
static bool keep_flushed(reach_sets *s, double least) {
    for (size_t i = s->begin; i < s->used && arithmetic_flushes(s->how); i++)
        if (is_subnormal_below(s->values[i], least))
            return keep(s, 0);
    return true;
}

/* Below which magnitude a value of a subset is subnormal. */
static double least_normal_of(const reach_sets *s, uint32_t subset) {
    return subset & (subset - 1) ? s->least_sum : s->least_term;
}

/* Two disjoint subsets whose values are added. */
typedef struct reach_cut {
    double least_a; /* below it a value of theirs is subnormal */
    double least_b;
    bool parted; /* they are neighbouring terms with a zero between them, which has to be added to
                    one of them before, and results must be flushed */
} reach_cut;

static reach_cut cut_of(const reach_sets *s, uint32_t a, uint32_t b) {
    return (reach_cut){
        .least_a = least_normal_of(s, a),
        .least_b = least_normal_of(s, b),
        .parted = s->how->order == CUMSUM_ALLOWED_CONTIGUOUS &&
                  s->how->flush_results == CUMSUM_FLUSH_MUST && !(a & (a - 1)) && b == a << 1 &&
                  (s->terms->zeros & b),
    };
}

/* The results of an addition of two operands; none if one of them has to be flushed, since there is
 * a zero in its place. */
static unsigned add_operands(const reach_sets *s, const reach_cut *cut, double a, double b,
                             double results[2]) {
    if (s->how->flush_inputs == CUMSUM_FLUSH_MUST &&
        (is_subnormal_below(a, cut->least_a) || is_subnormal_below(b, cut->least_b)))
        return 0;
    if (cut->parted && is_subnormal_below(a, s->least_sum) && is_subnormal_below(b, s->least_sum))
        return 0;
    const unsigned count = cumsum_add_as(a, b, s->how, results);
    for (unsigned i = 0; i < count && s->how->flush_results == CUMSUM_FLUSH_MUST; i++)
        if (is_subnormal_below(results[i], s->least_sum))
            results[i] = 0;
    return count;
}

static bool keep_sum(reach_sets *s, double sum) {
    if (s->used == s->room)
        keep_once(s);
    return keep(s, sum);
}

/* What is done with each sum; false ends the search. */
typedef bool reach_visit(reach_sets *s, double sum);

/* Adds the values of two disjoint subsets. */
static bool add_all(reach_sets *s, uint32_t a, uint32_t b, reach_visit *visit) {
    const reach_cut cut = cut_of(s, a, b);
    for (size_t i = s->first[a]; i < s->first[a + 1]; i++)
        for (size_t j = s->first[b]; j < s->first[b + 1]; j++) {
            double results[2];
            const unsigned count = add_operands(s, &cut, s->values[i], s->values[j], results);
            for (unsigned k = 0; k < count; k++)
                if (!visit(s, results[k]))
                    return false;
        }
    return true;
}

/* Are the terms of a subset consecutive? */
static bool is_interval(uint32_t subset) {
    const uint32_t beyond = subset + (subset & -subset);
    return !(beyond & (beyond - 1));
}

/* May a sum of one part and one of the rest be added? The part has the first term. */
static bool is_allowed_cut(const arithmetic *how, uint32_t part, uint32_t rest) {
    switch (how->order) {
    case CUMSUM_ALLOWED_ANY:
        return true;
    case CUMSUM_ALLOWED_CONTIGUOUS:
        return is_interval(part | rest) && is_interval(part) && is_interval(rest);
    default: /* the rest is the last term */
        return !((part | rest) & ((part | rest) + 1)) && !(part & (part + 1)) &&
               !(rest & (rest - 1));
    }
}

/* Adds the values of both parts, for each way to cut the subset in two; the first one has its
 * lowest term. */
static bool each_cut(reach_sets *s, uint32_t subset, reach_visit *visit) {
    const uint32_t lowest = subset & -subset, others = subset ^ lowest;
    for (uint32_t with = others; with;) {
        with = (with - 1) & others;
        if (is_allowed_cut(s->how, with | lowest, others ^ with) &&
            !add_all(s, with | lowest, others ^ with, visit))
            return false;
    }
    return true;
}

/* A term as an operand. In a sequence the first one is the result of an addition if a zero stands
 * beside it. */
static double term_as_operand(const reach_sets *s, uint32_t term) {
    const double value = s->terms->values[term];
    const bool is_result =
        s->how->order == CUMSUM_ALLOWED_SEQUENTIAL && term == 0 && (s->terms->zeros & 3);
    return is_result && s->how->flush_results == CUMSUM_FLUSH_MUST &&
                   is_subnormal_below(value, s->least_sum)
               ? 0
               : value;
}

/* The values of every subset but the whole set. */
static bool fill_subsets(reach_sets *s, uint32_t all) {
    for (uint32_t subset = 1, term = 0; subset < all; subset++) {
        s->begin = s->used;
        s->first[subset] = (uint32_t)s->used;
        if (!(subset & (subset - 1)) ? !keep(s, term_as_operand(s, term++))
                                     : !each_cut(s, subset, keep_sum))
            return false;
        if (!keep_flushed(s, least_normal_of(s, subset)))
            return false;
        keep_once(s);
        s->first[subset + 1] = (uint32_t)s->used;
    }
    return true;
}

/* A single term: it is copied, or a zero is added to it. */
static double lone_value(const reach_terms *terms, const arithmetic *how, double least) {
    const double value = terms->count ? terms->values[0] : 0;
    const bool must =
        how->flush_inputs == CUMSUM_FLUSH_MUST || how->flush_results == CUMSUM_FLUSH_MUST;
    return must && terms->zeros && is_subnormal_below(value, least) ? 0 : value;
}

static bool same_output(const reach_output *o, uint64_t output) {
    const binary_format *f = o->format;
    if (format_is_nan(f, output) || format_is_nan(f, o->y))
        return format_is_nan(f, output) && format_is_nan(f, o->y);
    return output == o->y || ((output | o->y) & ~f->sign) == 0;
}

/* A tree with an infinite partial sum has an infinite one, or NaN, in the end. */
static void widen_answer(reach_answer *answer, double value) {
    if (value < answer->lower)
        answer->lower = value;
    if (value > answer->upper)
        answer->upper = value;
    answer->infinite |= !isfinite(value);
}

static void compare_output(reach_output *o, double value) {
    if (same_output(o, cumsum_round_sum(o->format, value, 0, TO_NEAREST)))
        o->answer.found |= 1;
    widen_answer(&o->answer, value);
}

/* A sum becomes an output of the type, which is rounded as additions are. */
static void compare_store(reach_output *o, double sum) {
    const arithmetic *how = o->how;
    const double least = format_least_normal(o->format);
    for (int upper = 0; upper <= (how->rounding == CUMSUM_ROUNDING_EITHER); upper++) {
        const double output = format_value(
            o->format, cumsum_round_sum(o->format, sum, 0, rounding_end(how->rounding, upper)));
        const bool subnormal = is_subnormal_below(output, least);
        if (subnormal && arithmetic_flushes(how))
            compare_output(o, 0);
        if (!subnormal || o->is_term || how->flush_results != CUMSUM_FLUSH_MUST)
            compare_output(o, output);
    }
}

static void compare_half_stores(reach_output *o, double sum) {
    const uint32_t bits = binary32_bits((float)sum);
    for (int store = 0; store < 3; store++)
        if (isnan(sum) ? format_is_nan(o->format, o->y)
                       : same_output(o, half_store(o->format, bits, store)))
            o->answer.found |= 1u << store;
    widen_answer(&o->answer, sum);
}

/* Compares a sum of all terms with y. Returns false once nothing more can be found. */
static bool compare_sum(reach_output *o, double sum) {
    if (o->how->store == STORE_AS_ROUNDED)
        compare_store(o, sum);
    else
        compare_half_stores(o, sum);
    return o->how->specials_absent ||
           o->answer.found != (o->how->store == STORE_AS_ROUNDED ? 1u : 7u);
}

/* Does a zero follow the last term of a sequence? Then the sum is an operand too, which must be
 * flushed. */
static bool flushes_last(const reach_sets *s) {
    return s->how->order == CUMSUM_ALLOWED_SEQUENTIAL &&
           s->how->flush_inputs == CUMSUM_FLUSH_MUST && (s->terms->zeros >> s->terms->count & 1);
}

static bool compare_last(reach_sets *s, double sum) {
    const bool zero = flushes_last(s) && is_subnormal_below(sum, s->least_sum);
    return compare_sum(s->output, zero ? 0 : sum);
}

/* Compares the sum of each order of the terms with the output, equal ones perhaps more than once.
 * Returns false if the room was not enough, so that some are missing. */
static bool compare_orders(reach_output *o, const reach_terms *terms, double *values) {
    const arithmetic *how = o->how;
    double few[FEW_VALUES];
    reach_sets s; /* `first` is filled in as it is needed */
    s.how = how;
    s.terms = terms;
    s.least_term = format_least_normal(o->format);
    s.least_sum = format_least_normal(how->accumulator);
    s.values = values ? values : few;
    s.room = values ? REACH_ROOM : FEW_VALUES;
    s.used = 0;
    s.output = o;
    if (terms->count < 2) {
        compare_sum(o, lone_value(terms, how, s.least_term));
        return true;
    }
    const uint32_t all = (1u << terms->count) - 1;
    if (!fill_subsets(&s, all))
        return false;
    each_cut(&s, all, compare_last);
    return true;
}

reach_answer cumsum_reach(const reach_terms *terms, const arithmetic *how,
                          const binary_format *output, uint64_t y, double *values) {
    reach_output o = {.how = how,
                      .format = output,
                      .y = y,
                      .is_term = terms->count < 2,
                      .answer = {.lower = INFINITY, .upper = -INFINITY}};
    o.answer.complete = compare_orders(&o, terms, values);
    return o.answer;
}
