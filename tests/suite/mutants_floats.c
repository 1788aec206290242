/* SPDX-License-Identifier: MIT */
/* Wrong floating-point sums: other orders, formats, roundings, what becomes of NaN and subnormals.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "mutant.h"

/* A numerics that is taken in place of the one that was asked for. */
#define TAKES(function, condition, member, value)                                                  \
    static void function(mutant_line *line) {                                                      \
        if (condition) {                                                                           \
            line->numerics.member = value;                                                         \
        }                                                                                          \
        mutant_sum(line);                                                                          \
    }

TAKES(order_blocked, line->numerics.order == CUMSUM_ORDER_SEQUENTIAL, order, CUMSUM_ORDER_BLOCKED)
TAKES(order_sequential, line->numerics.order == CUMSUM_ORDER_BLOCKED, order,
      CUMSUM_ORDER_SEQUENTIAL)
TAKES(exact_sequential, line->numerics.order == CUMSUM_ORDER_EXACT, order, CUMSUM_ORDER_SEQUENTIAL)
TAKES(long_blocked, line->n > 2048, order, CUMSUM_ORDER_BLOCKED)
TAKES(half_tally, mutant_is_half(line), half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT16)
TAKES(wide_tally, mutant_is_half(line), half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT32)
TAKES(store_nearest, mutant_is_half(line), half_store, CUMSUM_HALF_STORE_NEAREST_EVEN)
TAKES(store_truncated, mutant_is_half(line) && !line->numerics.half_store, half_store,
      CUMSUM_HALF_STORE_TOWARD_ZERO)
TAKES(store_ieee, mutant_is_half(line) && !line->numerics.half_store, half_store,
      CUMSUM_HALF_STORE_IEEE)
TAKES(flushed, !mutant_is_half(line), denormals, CUMSUM_DENORMALS_FLUSH)
TAKES(kept, !mutant_is_half(line), denormals, CUMSUM_DENORMALS_PRESERVE)

/* Whether this is a float's line in the plain sequential order: where else the bugs below make no
 * sense, the sums are right. */
static bool is_plain(mutant_line *line) {
    if (!mutant_is_float(line) || line->numerics.order != CUMSUM_ORDER_SEQUENTIAL ||
        line->numerics.half_accumulator || line->numerics.half_store || line->numerics.denormals) {
        mutant_sum(line);
        return false;
    }
    return true;
}

static uint64_t stored(const mutant_line *line, double tally) {
    float narrow = (float)tally;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return mutant_is_half(line) ? cumsum_half_from_float(narrow, CUMSUM_HALF_STORE_NEAREST_EVEN)
                                : bits;
}

static void in_double(mutant_line *line) {
    double tally = 0;
    for (uint64_t k = 0; is_plain(line) && k < line->n; k++) {
        double before = tally;
        tally += mutant_value(line, line->x[k]);
        line->y[k] = stored(line, line->spec->exclusive ? before : tally);
    }
}

static void compensated(mutant_line *line) {
    float tally = 0;
    float lost = 0;
    for (uint64_t k = 0; is_plain(line) && k < line->n; k++) {
        float before = tally;
        float term = (float)mutant_value(line, line->x[k]) - lost;
        float sum = tally + term;
        lost = isfinite(sum) ? (sum - tally) - term : 0;
        tally = sum;
        line->y[k] = stored(line, (double)(line->spec->exclusive ? before : tally));
    }
}

/* What is stored is what the next sum starts from. */
static void fed_back(mutant_line *line) {
    float tally = 0;
    for (uint64_t k = 0; is_plain(line) && k < line->n; k++) {
        float before = tally;
        tally += (float)mutant_value(line, line->x[k]);
        tally = (float)mutant_value(line, stored(line, (double)tally));
        line->y[k] = stored(line, (double)(line->spec->exclusive ? before : tally));
    }
}

/* x[0] itself is the first sum, so that a -0 stays. */
static void starts_with_x(mutant_line *line) {
    mutant_sum(line);
    double first = mutant_value(line, line->x[0]);
    for (uint64_t k = 0; mutant_is_float(line) && !line->spec->exclusive && k < line->n; k++) {
        if (mutant_value(line, line->x[k]) != 0 || !signbit(mutant_value(line, line->x[k])))
            break;
        line->y[k] = mutant_bits(line, first);
    }
}

/* Doubling steps over the whole line. */
static void hillis_steele(mutant_line *line) {
    if (!is_plain(line))
        return;
    float *v = tool_malloc(line->n * sizeof *v);
    for (uint64_t k = 0; k < line->n; k++)
        v[k] = (float)mutant_value(line, line->x[k]);
    for (uint64_t step = 1; step < line->n; step *= 2)
        for (uint64_t k = line->n - 1; k >= step; k--)
            v[k] = v[k - step] + v[k];
    for (uint64_t k = 0; k < line->n; k++) {
        float sum = !line->spec->exclusive ? v[k] + 0.0f : k ? v[k - 1] + 0.0f : 0.0f;
        line->y[k] = stored(line, (double)sum);
    }
    free(v);
}

/* exclusive = inclusive - x. */
static void taken_away_again(mutant_line *line) {
    case_spec inclusive = *line->spec;
    const case_spec *spec = line->spec;
    if (!mutant_is_float(line) || !spec->exclusive) {
        mutant_sum(line);
        return;
    }
    inclusive.exclusive = false;
    line->spec = &inclusive;
    mutant_sum(line);
    line->spec = spec;
    for (uint64_t k = 0; k < line->n; k++) {
        line->y[k] =
            mutant_bits(line, mutant_value(line, line->y[k]) - mutant_value(line, line->x[k]));
    }
}

/* A NaN or an infinity anywhere reaches every output of the line, by way of a product with 0. */
static void leaks_back(mutant_line *line) {
    mutant_sum(line);
    for (uint64_t k = 0; mutant_is_float(line) && k < line->n; k++) {
        if (!isfinite(mutant_value(line, line->x[k]))) {
            for (uint64_t i = 0; i < line->n; i++)
                line->y[i] = mutant_bits(line, (double)NAN);
            return;
        }
    }
}

static bool poisoned_before;

static void leaks_on(mutant_line *line) {
    bool poisoned = line->number && poisoned_before;
    mutant_sum(line);
    poisoned_before = false;
    for (uint64_t k = 0; mutant_is_float(line) && k < line->n; k++) {
        poisoned_before = poisoned_before || !isfinite(mutant_value(line, line->x[k]));
        line->y[k] = poisoned ? mutant_bits(line, (double)NAN) : line->y[k];
    }
}

static void nan_left_out(mutant_line *line) {
    for (uint64_t k = 0; mutant_is_float(line) && k < line->n; k++)
        line->x[k] = isnan(mutant_value(line, line->x[k])) ? 0 : line->x[k];
    mutant_sum(line);
}

/* The later infinity wins. */
static void infinities_do_not_meet(mutant_line *line) {
    mutant_sum(line);
    double seen = 0;
    for (uint64_t k = 0; mutant_is_float(line) && k < line->n; k++) {
        double x = mutant_value(line, line->x[k]);
        uint64_t at = k + line->spec->exclusive;
        seen = isinf(x) ? x : seen;
        if (isnan(x))
            return;
        if (isinf(seen) && at < line->n)
            line->y[at] = mutant_bits(line, seen);
    }
}

static void saturated(mutant_line *line) {
    mutant_sum(line);
    double most = mutant_is_half(line) ? 65504 : 0x1.fffffep127;
    for (uint64_t k = 0; mutant_is_float(line) && k < line->n; k++) {
        double y = mutant_value(line, line->y[k]);
        line->y[k] = isinf(y) ? mutant_bits(line, y < 0 ? -most : most) : line->y[k];
    }
}

static void half_inputs_flushed(mutant_line *line) {
    for (uint64_t k = 0; mutant_is_half(line) && k < line->n; k++)
        line->x[k] &= line->x[k] & 0x7C00 ? 0xFFFF : 0x8000;
    mutant_sum(line);
}

static void half_outputs_flushed(mutant_line *line) {
    mutant_sum(line);
    for (uint64_t k = 0; mutant_is_half(line) && k < line->n; k++)
        line->y[k] &= line->y[k] & 0x7C00 ? 0xFFFF : 0x8000;
}

/* FLUSH: a zero is always positive, or what comes in is kept. */
static void flushed_to_plus_zero(mutant_line *line) {
    mutant_sum(line);
    for (uint64_t k = 0; !mutant_is_half(line) && mutant_is_float(line) && k < line->n; k++)
        line->y[k] = line->y[k] == 0x80000000 ? 0 : line->y[k];
}

static void outputs_flushed_only(mutant_line *line) {
    bool flush = line->numerics.denormals == CUMSUM_DENORMALS_FLUSH;
    line->numerics.denormals = CUMSUM_DENORMALS_PRESERVE;
    mutant_sum(line);
    for (uint64_t k = 0; flush && k < line->n; k++)
        line->y[k] &= line->y[k] & 0x7F800000 ? 0xFFFFFFFF : 0x80000000;
}

/* Once infinite, always infinite: the exact sum comes back. */
static void exact_sticks(mutant_line *line) {
    mutant_sum(line);
    if (line->numerics.order != CUMSUM_ORDER_EXACT || !mutant_is_float(line))
        return;
    for (uint64_t k = 1; k < line->n; k++)
        line->y[k] = isinf(mutant_value(line, line->y[k - 1])) ? line->y[k - 1] : line->y[k];
}

static void exact_in_double(mutant_line *line) {
    mutant_sum(line);
    double tally = 0;
    for (uint64_t k = 0; mutant_is_float(line) && line->numerics.order == CUMSUM_ORDER_EXACT &&
                         line->numerics.denormals == CUMSUM_DENORMALS_PRESERVE && k < line->n;
         k++) {
        double before = tally;
        tally += mutant_value(line, line->x[k]);
        line->y[k] = mutant_bits(line, line->spec->exclusive ? before : tally);
    }
}

#define SUM(function) NULL, function, NULL

const mutant mutants_floats[] = {
    {"order-blocked", "sequential is computed in blocks", SUM(order_blocked)},
    {"order-sequential", "blocked is computed one after the other", SUM(order_sequential)},
    {"long-blocked", "lines of more than 2048 are computed in blocks", SUM(long_blocked)},
    {"hillis-steele", "sequential is computed in doubling steps", SUM(hillis_steele)},
    {"in-double", "sequential has a tally of binary64", SUM(in_double)},
    {"compensated", "sequential is Kahan's sum", SUM(compensated)},
    {"fed-back", "what was stored as FLOAT16 is summed on", SUM(fed_back)},
    {"exact-sequential", "exact is computed one after the other", SUM(exact_sequential)},
    {"exact-in-double", "exact has a tally of binary64", SUM(exact_in_double)},
    {"exact-sticks", "exact does not come back from infinity", SUM(exact_sticks)},
    {"half-tally", "FLOAT16 is summed in binary16", SUM(half_tally)},
    {"wide-tally", "a binary16 accumulator is ignored", SUM(wide_tally)},
    {"store-nearest", "the store is always to nearest even", SUM(store_nearest)},
    {"store-truncated", "the store to nearest even truncates", SUM(store_truncated)},
    {"store-ieee", "the store overflows at 65520, not above 65504", SUM(store_ieee)},
    {"saturated", "overflow gives the largest number", SUM(saturated)},
    {"half-inputs-flushed", "subnormal FLOAT16 elements are 0", SUM(half_inputs_flushed)},
    {"half-outputs-flushed", "subnormal FLOAT16 sums are 0", SUM(half_outputs_flushed)},
    {"flushed", "FLOAT32 subnormals are not kept", SUM(flushed)},
    {"kept", "FLOAT32 subnormals are not flushed", SUM(kept)},
    {"flushed-to-plus-zero", "what is flushed loses its sign", SUM(flushed_to_plus_zero)},
    {"outputs-flushed-only", "subnormals are flushed in the outputs alone",
     SUM(outputs_flushed_only)},
    {"starts-with-x", "the first sum is x[0], which may be -0", SUM(starts_with_x)},
    {"taken-away-again", "exclusive is inclusive less the element", SUM(taken_away_again)},
    {"leaks-back", "NaN and infinity reach sums before them", SUM(leaks_back)},
    {"leaks-on", "NaN and infinity reach the next line", SUM(leaks_on)},
    {"nan-left-out", "NaN is taken as 0", SUM(nan_left_out)},
    {"infinities-do-not-meet", "infinities of both signs give the later one",
     SUM(infinities_do_not_meet)},
    {.name = NULL}};
