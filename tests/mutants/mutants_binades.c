/* SPDX-License-Identifier: MIT */
/* Bugs of the sequential order where sums are added as integers, in units of the last place of
 * their binade: docs/kernels.md has what is right. Only lines whose additions are plain binary32
 * are scanned here; others are right. */
#include "mutant.h"

#include <math.h>

/* An addition to a sum that is finite and not small, in units of its last place: to the integer s,
 * 2^23 <= |s| < 2^24, an element of q + rest is added, |rest| <= 1/2. */
typedef struct unit_addition {
    double s;
    double q;    /* the even one of two neighbours at a tie */
    double rest; /* 1/2 or -1/2: a tie */
    float right; /* the sum as binary32 has it, in the same units */
    int tie;     /* how many ties the block of 16 had before this one */
} unit_addition;

static bool is_tie(const unit_addition *a) {
    return fabs(a->rest) == 0.5;
}

/* Whether a sum belongs to the binade of s, its ends included. */
static bool in_binade(const unit_addition *a, double sum) {
    const double magnitude = a->s < 0 ? -sum : sum;
    return magnitude >= 0x1p23 && magnitude <= 0x1p24;
}

/* Numbers of this file have fewer than 52 bits before the point. */
static bool is_odd(double integer) {
    return (int64_t)integer % 2 != 0;
}

static double nearest(double value) {
    volatile double sum = value + 0x1.8p52;
    return sum - 0x1.8p52;
}

typedef double unit_bug(const unit_addition *a);

static float add_with(unit_bug *bug, float running, float x, int *ties) {
    int exponent;
    const float sum = running + x;
    (void)frexpf(running, &exponent); /* 2^(exponent - 1) <= |running sum| < 2^exponent */
    if (!isfinite(running) || !(fabsf(running) >= 0x1p-100f) || isinf(x))
        return sum;
    unit_addition a = {.s = ldexp((double)running, 24 - exponent), .tie = *ties};
    const double scaled = ldexp((double)x, 24 - exponent);
    if (fabs(scaled) > 0x1p30)
        return sum;
    a.q = nearest(scaled);
    a.rest = scaled - a.q;
    a.right = (float)ldexp((double)sum, 24 - exponent);
    *ties += is_tie(&a);
    return (float)ldexp(bug(&a), exponent - 24);
}

static void scan_with(unit_bug *bug, double *v, uint32_t n) {
    float running = 0;
    int ties = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (k % 16 == 0)
            ties = 0;
        running = add_with(bug, running, (float)v[k], &ties);
        v[k] = (double)running;
    }
}

/* Where the sum stays in the binade, q is added, and `tie` is what a tie adds to q. */
static double with_ties(const unit_addition *a, double tie) {
    if (!in_binade(a, a->s + a->q) || !is_tie(a))
        return (double)a->right;
    return a->s + a->q + tie;
}

static double ties_to_even_elements(const unit_addition *a) {
    return with_ties(a, 0);
}

static double ties_up(const unit_addition *a) {
    return with_ties(a, a->rest > 0 ? 1 : 0);
}

/* Of a negative sum: 1/2 above is 1/2 below its magnitude. */
static double ties_mirrored(const unit_addition *a) {
    const double sign = a->rest > 0 ? 1 : -1;
    return with_ties(a, is_odd(a->s + a->q) ? (a->s < 0 ? -sign : sign) : 0);
}

static double second_ties_lost(const unit_addition *a) {
    return a->tie ? with_ties(a, 0) : (double)a->right;
}

/* The numbers below the binade are half as far apart. */
static double lower_end_passed(const unit_addition *a) {
    const double sum = a->s + a->q;
    return sum * a->s > 0 && fabs(sum) < 0x1p23 && !is_tie(a) ? sum : (double)a->right;
}

/* The numbers above the binade are twice as far apart; this rounds twice. */
static double upper_end_passed(const unit_addition *a) {
    const double sum = a->s + a->q;
    return fabs(sum) > 0x1p24 && !is_tie(a) ? (double)(float)sum : (double)a->right;
}

/* The rest is cut off. */
static double rest_lost(const unit_addition *a) {
    const double floor_of_element = a->rest < 0 ? a->q - 1 : a->q;
    const double sum = a->s + floor_of_element;
    return in_binade(a, sum) && a->rest != 0 ? sum : (double)a->right;
}

static double nan_is_zero(const unit_addition *a) {
    return isnan(a->q) ? a->s : (double)a->right;
}

#define BINADE_BUG(bug)                                                                            \
    static void scan_##bug(textbook_addition *unused, double *v, uint32_t n) {                     \
        (void)unused;                                                                              \
        scan_with(bug, v, n);                                                                      \
    }                                                                                              \
    static void line_##bug(mutant_line *line) {                                                    \
        mutant_scan_as(line, CUMSUM_ORDER_SEQUENTIAL, scan_##bug);                                 \
    }
BINADE_BUG(ties_to_even_elements)
BINADE_BUG(ties_up)
BINADE_BUG(ties_mirrored)
BINADE_BUG(second_ties_lost)
BINADE_BUG(lower_end_passed)
BINADE_BUG(upper_end_passed)
BINADE_BUG(rest_lost)
BINADE_BUG(nan_is_zero)

const mutant mutants_binades[] = {
    {"ties-to-even-elements", "a tie makes the element even, not the sum",
     .scan = line_ties_to_even_elements},
    {"ties-up", "a tie goes up", .scan = line_ties_up},
    {"ties-mirrored", "a tie of a negative sum goes to the odd side", .scan = line_ties_mirrored},
    {"second-ties-lost", "a block resolves its first tie alone", .scan = line_second_ties_lost},
    {"lower-end-passed", "below its binade a sum keeps the binade's last place",
     .scan = line_lower_end_passed},
    {"upper-end-passed", "above its binade a sum is rounded twice", .scan = line_upper_end_passed},
    {"rest-lost", "elements are cut off at the sum's last place", .scan = line_rest_lost},
    {"nan-is-zero", "a NaN in a line of sums that fit is lost", .scan = line_nan_is_zero},
    {.name = NULL}};
