/* SPDX-License-Identifier: MIT */
/*
 * Accepts a segment of a FLOAT32 line at once: docs/oracle.md, "Fast path". fast_segment.c
 * computes; here is what follows from it.
 *
 * Invariant: an accepted segment leaves the judgement and the sums of the line as the loop over
 * single elements does, to the last bit. unit.test_oracle_fast compares the two.
 */
#include "fast_line.h"

#include "fast_choice.h"
#include "judge_output.h"

/* 2^exponent, for an exponent of normal numbers. */
static double power_of_two(int exponent) {
    const uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* What is added to a number and taken away again to round it to a multiple of g = 2^exponent. */
static double grid_of(int exponent) {
    return 1.5 * power_of_two(52 + exponent);
}

static double rounded_to(double value, double grid) {
    return (value + grid) - grid;
}

/* The exponent of a positive number of binary64 that is normal: value is in [2^e, 2^(e + 1)). */
static int exponent_of(double value) {
    return (int)(binary64_bits(value) >> 52) - 1023;
}

/* No output of the segment may have an error above this, in units of u A: it would raise h, lose
 * the class, or leave the bound of verdict 1. At the first output the limits are tightest. */
static double largest_error(const judge_state *s, const line_sum *l) {
    const cumsum_judgement *j = s->judgement;
    const unsigned log2_terms = l->log2_terms + (l->terms + 1 > UINT64_C(1) << l->log2_terms);
    if (!l->rounds)
        return 0;
    const double within = line_sum_earlier_roundings(l, l->heavy);
    const double limit = cumsum_judge_class_limit(j->error_class, log2_terms);
    const double largest = within < limit ? within : limit;
    return largest < j->h ? largest : j->h;
}

/* The sums at the start of a segment, split into multiples of g and the rest. */
typedef struct split_sum {
    double on_grid;
    double rest; /* below g */
    bool fine;   /* the rest is a multiple of the finer g */
} split_sum;

static split_sum split(double high, double low, double grid, double fine_grid) {
    split_sum r = {.on_grid = rounded_to(high, grid)};
    const double lost = high - r.on_grid;
    r.rest = lost + low;
    r.fine = rounded_to(lost, fine_grid) == lost && rounded_to(low, fine_grid) == low;
    return r;
}

/* The greatest magnitude of a term, for a line in which nothing has been rounded yet. */
static double largest_term(const fast_segment *f, double largest) {
    uint32_t most = 0;
    for (size_t i = 0; i < f->count; i++) {
        const uint32_t magnitude = load_32(f->terms, f->term_step, i) & 0x7FFFFFFFu;
        most = magnitude > most ? magnitude : most;
    }
    const double value = (double)binary32_value(most);
    return value > largest ? value : largest;
}

/* May the terms before the segment be continued? */
static bool may_begin(const judge_state *s, const line_sum *l) {
    const uint64_t short_prefix = s->how.values ? REACH_MOST : REACH_ALWAYS;
    return !s->slowly && !s->last_writer && !l->special && l->slack == 0 && !l->blurred &&
           l->nonzero > short_prefix;
}

/* Headroom: magnitudes may grow by this power of two within a segment. */
static int headroom(uint64_t begin) {
    return begin < FAST_SEGMENT ? 5 : 2;
}

bool cumsum_fast_line_accept(judge_state *s, line_sum *l, uint64_t begin, uint64_t end) {
    if (!may_begin(s, l))
        return false;
    const double unit = binary32_format.unit_roundoff;
    const uint64_t first = begin + s->problem.exclusive;
    fast_segment f = {.terms = s->line_input + s->input_step * (int64_t)begin,
                      .outputs = s->line_actual + s->actual_step * (int64_t)first,
                      .term_step = s->input_step,
                      .output_step = s->actual_step,
                      .count = (size_t)(end - begin),
                      .no_minus_zero = s->options.strict_zero};
    /* Magnitudes up to 2^51 g are on the grid; where nothing rounds, terms are multiples of the
     * lowest bit so far, and stay below 2^24 of it. */
    const int g =
        l->rounds ? exponent_of(l->magnitude) + 1 + headroom(begin) - 51 : exponent_of(l->lowest);
    const double most = power_of_two(g + (l->rounds ? 51 : 24));
    f.grid = grid_of(g);
    fast_rest rest = {.grid = grid_of(g - 43)};
    const split_sum sum = split(l->high, l->low, f.grid, rest.grid);
    const split_sum magnitude = split(l->magnitude, l->magnitude_low, f.grid, rest.grid);
    const double largest = largest_error(s, l);
    bool exact = sum.rest == 0 && magnitude.rest == 0;
    if (!l->rounds && !exact)
        return false;
    const bool clean = exact;
    exact = exact && !s->off_grid;
    for (;;) {
        f.coefficient =
            exact ? largest * unit * (1 - 0x1p-50) : (largest * (1 - 0x1p-20) - 0x1p-11) * unit;
        if (!(f.coefficient >= 0))
            return false;
        f.rounding =
            s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED && f.coefficient > 0;
        f.doubt = exact ? 0 : power_of_two(g + 10);
        f.sum = sum.on_grid;
        f.magnitude = magnitude.on_grid;
        const bool accepted = FAST(cumsum_fast_accept, &f);
        if (!(f.magnitude <= most) || (!l->rounds && f.off_grid))
            return false;
        if (exact && f.off_grid) {
            s->off_grid = true;
            exact = false;
            continue;
        }
        if (!accepted)
            return false;
        break;
    }
    if (f.off_grid || !clean) {
        if (!sum.fine || !magnitude.fine)
            return false;
        if (f.off_grid && !FAST(cumsum_fast_rest, &f, &rest))
            return false;
    }
    if (!l->rounds)
        l->largest = largest_term(&f, l->largest);
    l->high = f.sum;
    l->low = sum.rest + rest.sum;
    l->magnitude = f.magnitude;
    l->magnitude_low = magnitude.rest + rest.magnitude;
    l->terms += f.count;
    l->nonzero += f.count - f.zeros;
    while (l->terms > UINT64_C(1) << l->log2_terms)
        l->log2_terms++;
    s->judgement->counts[CUMSUM_VERDICT_CONFORMANT] += f.count;
    return true;
}
