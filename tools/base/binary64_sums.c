/* SPDX-License-Identifier: MIT */
/*
 * Sums in units of 2^q, the lowest bit of a line: whole numbers of at most 53 bits, so that none of
 * the additions below rounds either (binary64_sums.h has the proof).
 */
#include "binary64_sums.h"

#include <math.h>
#include <string.h>

/* The significand of binary64 has 53 bits: integers up to here are binary64 numbers. */
#define MOST_UNITS (INT64_C(1) << 53)

/* The elements of a line lie `step` apart, from `first` on. */
typedef struct line_place {
    uint64_t first;
    uint64_t step;
    uint64_t length;
} line_place;

static double load(const unsigned char *bytes, uint64_t index) {
    double value;
    memcpy(&value, bytes + index * sizeof value, sizeof value);
    return value;
}

/* q, for the lowest bit 2^q that is set in a finite value other than 0. */
static int lowest_bit(double value) {
    int exponent;
    const uint64_t significand = (uint64_t)ldexp(fabs(frexp(value, &exponent)), 53);
    const uint64_t lowest = significand & (~significand + 1);
    return exponent - 53 + ilogb((double)lowest);
}

/* A line without a finite element other than 0 has no lowest bit, and takes exponent 0. */
static void find_unit(const unsigned char *input, const line_place *at, binary64_line *line) {
    bool found = false;
    *line = (binary64_line){.first = at->first, .lowest = at->first};
    for (uint64_t k = 0; k < at->length; k++) {
        const uint64_t index = at->first + k * at->step;
        const double x = load(input, index);
        if (x != 0 && isfinite(x) && (!found || lowest_bit(x) < line->exponent)) {
            line->exponent = lowest_bit(x);
            line->lowest = index;
            found = true;
        }
    }
}

/* A, counted in units of 2^q: whole numbers, so that the sum cannot round either. */
static binary64_limit check_limits(const unsigned char *input, const line_place *at, int exponent) {
    int64_t magnitudes = 0;
    for (uint64_t k = 0; k < at->length; k++) {
        const double x = load(input, at->first + k * at->step);
        const double units = isfinite(x) ? ldexp(fabs(x), -exponent) : 0; /* exact, or infinity */
        if (units > (double)(MOST_UNITS - magnitudes))
            return BINARY64_ROUNDS;
        magnitudes += (int64_t)units;
    }
    return isfinite(ldexp((double)magnitudes, exponent)) ? BINARY64_EXACT : BINARY64_OVERFLOWS;
}

/* The running values along a line. */
typedef struct tally {
    int64_t units;
    int64_t magnitudes;
    double not_finite; /* the sum of the NaNs and infinities; 0 without any */
    int exponent;
} tally;

static void add(tally *t, double x) {
    if (isfinite(x)) {
        const int64_t units = (int64_t)ldexp(x, -t->exponent);
        t->units += units;
        t->magnitudes += units < 0 ? -units : units;
    } else {
        t->not_finite += x;
    }
}

static binary64_output output_of(const tally *t, uint64_t index, uint64_t terms) {
    return (binary64_output){.index = index,
                             .terms = terms,
                             .sum = t->not_finite == 0 ? ldexp((double)t->units, t->exponent)
                                                       : t->not_finite,
                             .magnitudes = ldexp((double)t->magnitudes, t->exponent)};
}

static void visit_line(const cumsum_operator_desc *desc, const line_place *at, int exponent,
                       const unsigned char *input, binary64_visit visit, void *state) {
    const bool decreasing = desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    const bool exclusive = desc->has_exclusive_sum;
    tally t = {.exponent = exponent};
    for (uint64_t k = 0; k < at->length; k++) {
        const uint64_t index = at->first + (decreasing ? at->length - 1 - k : k) * at->step;
        const binary64_output before = output_of(&t, index, k);
        add(&t, load(input, index));
        const binary64_output after = output_of(&t, index, k + 1);
        visit(state, exclusive ? &before : &after);
    }
}

bool binary64_sums(const cumsum_operator_desc *desc, const unsigned char *input,
                   binary64_visit visit, void *state, binary64_line *line) {
    const cumsum_buffer_tensor_desc *tensor = desc->input_tensor->desc;
    const uint64_t length = tensor->sizes[desc->axis];
    uint64_t outer = 1;
    uint64_t step = 1;
    for (uint32_t d = 0; d < tensor->dimension_count; d++) {
        outer *= d < desc->axis ? tensor->sizes[d] : 1;
        step *= d > desc->axis ? tensor->sizes[d] : 1;
    }
    for (uint64_t i = 0; i < outer * step; i++) {
        const line_place at = {i / step * length * step + i % step, step, length};
        find_unit(input, &at, line);
        line->limit = check_limits(input, &at, line->exponent);
        if (line->limit != BINARY64_EXACT)
            return false;
        visit_line(desc, &at, line->exponent, input, visit, state);
    }
    return true;
}
