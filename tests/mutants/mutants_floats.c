/* SPDX-License-Identifier: MIT */
/* Bugs of floating-point sums: other orders of additions, other precisions, and what becomes of
 * NaN, infinities and the first sum. */
#include "mutant.h"

#include <math.h>

/* Takes another order for lines that satisfy the condition. */
#define TAKES_ORDER(function, condition, taken)                                                    \
    static void function(mutant_line *line) {                                                      \
        if (condition)                                                                             \
            line->numerics.order = taken;                                                          \
        mutant_scan(line);                                                                         \
    }
TAKES_ORDER(order_blocked, line->numerics.order == CUMSUM_ORDER_SEQUENTIAL, CUMSUM_ORDER_BLOCKED)
TAKES_ORDER(order_sequential, line->numerics.order == CUMSUM_ORDER_BLOCKED, CUMSUM_ORDER_SEQUENTIAL)
TAKES_ORDER(exact_sequential, line->numerics.order == CUMSUM_ORDER_EXACT, CUMSUM_ORDER_SEQUENTIAL)
TAKES_ORDER(long_blocked, line->n > 2048, CUMSUM_ORDER_BLOCKED)

static void hillis_steele(mutant_line *line) {
    mutant_scan_as(line, CUMSUM_ORDER_SEQUENTIAL, scan_hillis_steele);
}

static void in_double(mutant_line *line) {
    mutant_scan_as(line, CUMSUM_ORDER_SEQUENTIAL, scan_binary64);
}

/* Kahan: "Further remarks on reducing truncation errors", 1965. */
static void kahan(textbook_addition *unused, double *v, uint32_t n) {
    float running = 0;
    float lost = 0;
    (void)unused;
    for (uint32_t k = 0; k < n; k++) {
        const float term = (float)v[k] - lost;
        const float sum = running + term;
        lost = isfinite(sum) ? (sum - running) - term : 0;
        running = sum;
        v[k] = (double)sum;
    }
}

static void compensated(mutant_line *line) {
    mutant_scan_as(line, CUMSUM_ORDER_SEQUENTIAL, kahan);
}

/* A once infinite sum stays: the exact sum comes back. */
static void exact_sticks(mutant_line *line) {
    mutant_scan(line);
    if (line->numerics.order != CUMSUM_ORDER_EXACT || !mutant_is_float(line))
        return;
    for (uint64_t k = 1; k < line->n; k++)
        line->y[k] = isinf(mutant_value(line, line->y[k - 1])) ? line->y[k - 1] : line->y[k];
}

static void exact_in_double(mutant_line *line) {
    const bool exact = mutant_is_float(line) && line->numerics.order == CUMSUM_ORDER_EXACT &&
                       line->numerics.denormals == CUMSUM_DENORMALS_PRESERVE;
    double running = 0;
    mutant_scan(line);
    for (uint64_t k = 0; exact && k < line->n; k++) {
        const double before = running;
        running += mutant_value(line, line->x[k]);
        line->y[k] = mutant_bits(line, line->exclusive ? before : running);
    }
}

/* The first elements themselves are the first sums, so that a -0 stays. */
static void starts_with_x(mutant_line *line) {
    mutant_scan(line);
    const double first = mutant_value(line, line->x[0]);
    for (uint64_t k = 0; mutant_is_float(line) && !line->exclusive && k < line->n; k++) {
        if (mutant_value(line, line->x[k]) != 0 || !signbit(mutant_value(line, line->x[k])))
            break;
        line->y[k] = mutant_bits(line, first);
    }
}

/* A NaN or an infinity anywhere reaches every output of the line, by way of a product with 0. */
static void leaks_back(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = 0; mutant_is_float(line) && k < line->n; k++) {
        if (!isfinite(mutant_value(line, line->x[k]))) {
            for (uint64_t i = 0; i < line->n; i++)
                line->y[i] = mutant_bits(line, (double)NAN);
            return;
        }
    }
}

/* The same inside a block of 16: elements behind the prefix are masked by a multiplication, and
 * 0 * NaN is NaN. */
static void leaks_back_in_blocks(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = line->n - 1; mutant_is_float(line) && k > 0; k--)
        if (k % 16 && isnan(mutant_value(line, line->x[k])))
            line->y[k - 1] = line->x[k - 1] = line->x[k];
}

/* A line's NaN or infinity reaches the outputs of the next line. */
static void leaks_on(mutant_line *line) {
    static bool poisoned_before;
    const bool poisoned = line->number && poisoned_before;
    mutant_scan(line);
    poisoned_before = false;
    for (uint64_t k = 0; mutant_is_float(line) && k < line->n; k++) {
        poisoned_before = poisoned_before || !isfinite(mutant_value(line, line->x[k]));
        line->y[k] = poisoned ? mutant_bits(line, (double)NAN) : line->y[k];
    }
}

static void nan_left_out(mutant_line *line) {
    for (uint64_t k = 0; mutant_is_float(line) && k < line->n; k++)
        line->x[k] = isnan(mutant_value(line, line->x[k])) ? 0 : line->x[k];
    mutant_scan(line);
}

/* A sum that becomes NaN, as infinity minus infinity does, stays what it was. */
static void invalid_sum_kept(mutant_line *line) {
    mutant_scan(line);
    for (uint64_t k = line->n - 1; mutant_is_float(line) && k > 0; k--)
        if (isnan(mutant_value(line, line->y[k])) && !isnan(mutant_value(line, line->y[k - 1])))
            line->y[k] = line->y[k - 1];
}

/* The later infinity wins. */
static void infinities_do_not_meet(mutant_line *line) {
    mutant_scan(line);
    double seen = 0;
    for (uint64_t k = 0; mutant_is_float(line) && k < line->n; k++) {
        const double x = mutant_value(line, line->x[k]);
        const uint64_t at = k + line->exclusive;
        seen = isinf(x) ? x : seen;
        if (isnan(x))
            return;
        if (isinf(seen) && at < line->n)
            line->y[at] = mutant_bits(line, seen);
    }
}

static void saturated(mutant_line *line) {
    mutant_scan(line);
    const double most = mutant_is_half(line) ? 65504 : 0x1.fffffep127;
    for (uint64_t k = 0; mutant_is_float(line) && k < line->n; k++) {
        const double y = mutant_value(line, line->y[k]);
        line->y[k] = isinf(y) ? mutant_bits(line, y < 0 ? -most : most) : line->y[k];
    }
}

const mutant mutants_floats[] = {
    {"order-blocked", "sequential is computed in blocks", .scan = order_blocked},
    {"order-sequential", "blocked is computed one after the other", .scan = order_sequential},
    {"long-blocked", "lines of more than 2048 are computed in blocks", .scan = long_blocked},
    {"hillis-steele", "sequential is computed in doubling steps", .scan = hillis_steele},
    {"in-double", "sequential has a binary64 accumulator", .scan = in_double},
    {"compensated", "sequential is Kahan's sum", .scan = compensated},
    {"exact-sequential", "exact is computed one after the other", .scan = exact_sequential},
    {"exact-in-double", "exact has a binary64 accumulator", .scan = exact_in_double},
    {"exact-sticks", "exact does not come back from infinity", .scan = exact_sticks},
    {"saturated", "overflow gives the largest number", .scan = saturated},
    {"starts-with-x", "the first sum is x[0], which may be -0", .scan = starts_with_x},
    {"leaks-back", "NaN and infinity reach sums before them", .scan = leaks_back},
    {"leaks-back-in-blocks", "NaN reaches sums before it in its block of 16",
     .scan = leaks_back_in_blocks},
    {"leaks-on", "NaN and infinity reach the next line", .scan = leaks_on},
    {"nan-left-out", "NaN is taken as 0", .scan = nan_left_out},
    {"invalid-sum-kept", "infinity minus infinity stays what it was", .scan = invalid_sum_kept},
    {"infinities-do-not-meet", "infinities of both signs give the later one",
     .scan = infinities_do_not_meet},
    {.name = NULL}};
