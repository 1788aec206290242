/* SPDX-License-Identifier: MIT */
/*
 * Accepts a segment of a FLOAT32 line at once: docs/oracle.md, "Fast path". fast_segment.c compares
 * outputs with bounds; this file chooses the bounds and updates the judgement.
 *
 * Invariant: an accepted segment leaves the judgement and the sums of the line as the loop over
 * single elements does, to the last bit. unit.test_oracle_fast compares the two.
 */
#include "doubt_watch.h"
#include "fast_paths.h"

#include "fast_choice.h"
#include "judge_output.h"

/* No output of the segment may have an error above this, in units of u A. Otherwise the tensor
 * would lose its class, or the output would exceed the bound of verdict 1. The limits of the first
 * output are the tightest. */
static double largest_error(const judge_state *s, const line_sum *l) {
    const unsigned log2_terms = l->log2_terms + (l->terms + 1 > UINT64_C(1) << l->log2_terms);
    if (!l->rounds)
        return 0;
    const double earlier = line_sum_earlier_roundings(l, l->heavy);
    const double unit = binary32_format.unit_roundoff;
    const double within = line_sum_sure_part(earlier, unit) / unit * (1 - 0x1p-50);
    const double limit = cumsum_judge_class_limit(s->judgement->error_class, log2_terms);
    return within < limit ? within : limit;
}

/* A sum before a segment: a multiple of g, one of the finer g, and what remains. */
typedef struct split_sum {
    double on_grid;
    double rest;
    double remainder;
    fast_grids grids; /* the fewest that hold it */
    bool possible;    /* do three grids hold it? */
} split_sum;

static split_sum split(double high, double low, const fast_segment *f) {
    split_sum r = {.on_grid = fast_rounded(high, f->grid)};
    const double lost = high - r.on_grid, fine = fast_rounded(lost, f->fine_grid),
                 fine_low = fast_rounded(low, f->fine_grid);
    r.rest = fine + fine_low;
    r.remainder = (lost - fine) + (low - fine_low);
    r.possible = fast_rounded(lost - fine, f->finest_grid) == lost - fine &&
                 fast_rounded(low - fine_low, f->finest_grid) == low - fine_low;
    r.grids = lost != fine || low != fine_low ? FAST_THREE_GRIDS
              : r.rest != 0                   ? FAST_TWO_GRIDS
                                              : FAST_ONE_GRID;
    return r;
}

/* The inverse, as line_sum_settle leaves a sum: the nearest binary64 number, and the difference. */
static void join(double on_grid, double rest, double remainder, double *high, double *low) {
    *high = on_grid;
    *low = two_sum(high, rest) + remainder;
    *low = two_sum(high, *low);
}

/* Starts a segment from the sums before it. */
static void set_sums(fast_segment *f, const split_sum *sum, const split_sum *magnitude) {
    f->sum = sum->on_grid;
    f->sum_rest = sum->rest;
    f->sum_remainder = sum->remainder;
    f->magnitude = magnitude->on_grid;
    f->magnitude_rest = magnitude->rest;
    f->magnitude_remainder = magnitude->remainder;
}

/* May the terms before the segment be continued? */
static bool may_begin(const judge_state *s, const line_sum *l) {
    const uint64_t short_prefix = judge_short_prefix(s);
    return !s->slowly && !s->last_writer && !l->special && l->slack == 0 && !l->blurred &&
           l->nonzero > short_prefix;
}

/* Headroom: magnitudes may grow by this power of two within a segment. */
static int headroom(uint64_t begin) {
    return begin < FAST_SEGMENT ? 5 : 2;
}

/*
 * Tries the bounds, the cheapest one first. If all sums are on the grid, they are exact. So are the
 * sums of the loop over single elements, which compares quotients in the same way. Otherwise
 * `largest` is lowered by a margin that covers the difference.
 */
static bool accept_within(fast_segment *f, const split_sum *sum, const split_sum *magnitude,
                          double largest, fast_bound from, double most) {
    const bool exact = f->grids == FAST_ONE_GRID;
    for (fast_bound bound = from; bound <= (exact ? FAST_QUOTIENT : FAST_PRODUCT); bound++) {
        f->bound = bound;
        if (bound == FAST_STEPS && exact && largest > 0)
            f->largest = largest * (1 - 0x1p-20) - 0x1p-16;
        else if (!exact)
            f->largest = largest * (1 - 0x1p-20) - (f->grids == FAST_TWO_GRIDS ? 0x1p-11 : 0x1p-50);
        else
            f->largest = bound == FAST_QUOTIENT ? largest : largest * (1 - 0x1p-50);
        set_sums(f, sum, magnitude);
        if (!(f->largest >= 0))
            return false;
        const bool accepted = FAST(cumsum_fast_accept, f);
        if (!(f->magnitude <= most) || f->off_grid)
            return false;
        if (accepted)
            return true;
    }
    return false;
}

/* Looks at the outputs of an accepted segment, one by one. `at` has the terms before it. */
static void watch_outputs(doubt_watch *w, line_sum at, const fast_segment *f) {
    for (size_t k = 0; k < f->count && w->sure; k++) {
        const uint32_t x = load_32(f->terms, f->term_step, k);
        line_sum_add(&at, &binary32_format, x, (double)binary32_value(x));
        line_sum_settle(&at);
        watch_float(w, &at, &binary32_format,
                    (double)binary32_value(load_32(f->outputs, f->output_step, k)));
    }
}

/*
 * Is no output of an accepted segment doubtful? An output that is S, rounded, is not: its error is
 * at most u R, and so 2 u R jump. P leaves out the rests, which add up to less than 2^9 g. R is
 * that of the sums before the segment.
 */
static void watch_segment(judge_state *s, const line_sum *l, const fast_segment *f) {
    const binary_format *format = &binary32_format;
    doubt_watch *w = &s->watch;
    if (!w->sure || f->rounded || !l->rounds)
        return;
    watch_sum(w, l->high);
    const double rest = f->grids == FAST_ONE_GRID ? 0 : f->grid * 0x1p-43; /* 1.5 * 2^9 g */
    const double limit = watch_error_limit(w, l, format->unit_roundoff, l->heavy, f->count);
    if (!(f->errors + rest <= limit) ||
        !(f->jumps + 2 * rest <= watch_jump_limit(w, l, format->unit_roundoff)))
        watch_outputs(w, *l, f);
    watch_sum(w, f->top);
    watch_sum(w, f->bottom);
}

static void continue_sums(line_sum *l, const fast_segment *f) {
    join(f->sum, f->sum_rest, f->sum_remainder, &l->high, &l->low);
    join(f->magnitude, f->magnitude_rest, f->magnitude_remainder, &l->magnitude, &l->magnitude_low);
    line_sum_count(l, f->count);
    l->nonzero += f->count - f->zeros;
    if (l->rounds)
        return;
    const double largest = (double)binary32_value(FAST(cumsum_fast_extent, f).greatest);
    l->largest = largest > l->largest ? largest : l->largest;
}

/* A segment, and the sums before it. */
typedef struct begun_segment {
    fast_segment f;
    split_sum sum;
    split_sum magnitude;
    double most;      /* the magnitude up to which sums are exact */
    fast_grids grids; /* the fewest that hold the sums before it */
    bool possible;    /* do three grids hold them? */
} begun_segment;

static begun_segment begin_segment(const judge_state *s, const line_sum *l, uint64_t begin,
                                   uint64_t end) {
    const uint64_t first = begin + s->problem.exclusive;
    begun_segment b = {.f = {.terms = s->line_input + s->input_step * (int64_t)begin,
                             .outputs = s->line_actual + s->actual_step * (int64_t)first,
                             .term_step = s->input_step,
                             .output_step = s->actual_step,
                             .count = (size_t)(end - begin),
                             .no_minus_zero = s->options.strict_zero,
                             .sequential = s->sequential,
                             .error = s->watch.error}};
    /* Magnitudes up to 2^51 g are on the grid; where nothing rounds, terms are multiples of the
     * lowest bit so far, and stay below 2^24 of it. */
    const int g = l->rounds ? fast_exponent(l->magnitude) + 1 + headroom(begin) - 51
                            : fast_exponent(l->lowest);
    b.most = fast_power(g + (l->rounds ? 51 : 24));
    b.f.grid = fast_grid(g);
    b.f.fine_grid = fast_grid(g - FAST_FINE);
    b.f.finest_grid = fast_grid(g - FAST_FINEST);
    b.sum = split(l->high, l->low, &b.f);
    b.magnitude = split(l->magnitude, l->magnitude_low, &b.f);
    b.grids = b.sum.grids > b.magnitude.grids ? b.sum.grids : b.magnitude.grids;
    b.possible = b.sum.possible && b.magnitude.possible;
    return b;
}

/* In units of u A. Two grids leave out rests that may be as large; three leave out less. */
#define SMALL_ERROR 0x1p-9

/* Segments that are judged without FAST_STEPS after one was refused. */
#define STEPS_WAIT 16

/* Is a segment judged by steps first? */
static bool takes_steps(const judge_state *s, const line_sum *l, const fast_segment *f,
                        double largest) {
    return l->terms >= FAST_SEGMENT && s->sequential && !f->rounded &&
           f->grids != FAST_THREE_GRIDS && s->no_steps == 0 &&
           (largest > SMALL_ERROR || !l->rounds);
}

/* Does every output have an error of at most `largest`, and the rounding of the class? */
static bool accept_up_to(judge_state *s, const line_sum *l, begun_segment *b, double largest) {
    const bool rounded = s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED;
    const bool many = l->terms >= UINT64_C(4) * FAST_SEGMENT;
    const fast_grids most = l->rounds ? FAST_THREE_GRIDS : FAST_ONE_GRID;
    if (!b->possible)
        return false;
    for (fast_grids grids = b->grids > s->grids ? b->grids : s->grids; grids <= most; grids++) {
        if (grids == FAST_TWO_GRIDS && largest < SMALL_ERROR)
            continue;
        b->f.grids = grids;
        b->f.rounded = rounded && (grids != FAST_ONE_GRID || largest > 0);
        const bool steps = takes_steps(s, l, &b->f, largest);
        const fast_bound from = steps ? FAST_STEPS : many ? FAST_NEAR : FAST_PRODUCT;
        const bool accepted = accept_within(&b->f, &b->sum, &b->magnitude, largest, from, b->most);
        if (steps && b->f.bound != FAST_STEPS)
            s->no_steps = STEPS_WAIT;
        if (accepted)
            return true;
        if (!b->f.off_grid)
            break;
        if (grids < FAST_THREE_GRIDS)
            s->grids = grids + 1;
    }
    return false;
}

/* Rates the outputs of a group, one by one. The sums before it are settled. */
static void rate_group(judge_state *s, line_sum *l, const fast_segment *f, size_t begin) {
    for (size_t k = begin; k < f->count && k < begin + FAST_GROUP; k++) {
        const uint32_t x = load_32(f->terms, f->term_step, k);
        line_sum_add(l, &binary32_format, x, (double)binary32_value(x));
        const double y = (double)binary32_value(load_32(f->outputs, f->output_step, k));
        const double distance = line_sum_distance(l, y);
        const double unit = binary32_format.unit_roundoff * l->magnitude;
        if (distance != 0)
            cumsum_judge_error(s, l->terms - !s->problem.exclusive, distance, unit, l->log2_terms);
    }
}

/* Raises h to the largest error of an accepted segment. Only groups whose error may be the largest
 * are looked at. Returns whether h was raised. */
static bool raise_largest(judge_state *s, const line_sum *l, const begun_segment *b) {
    const double before = s->judgement->h;
    const size_t count = (b->f.count + FAST_GROUP - 1) / FAST_GROUP;
    fast_groups groups;
    fast_segment f = b->f;
    set_sums(&f, &b->sum, &b->magnitude);
    FAST(cumsum_fast_look, &f, &groups);
    double most = before;
    for (size_t i = 0; i < count; i++)
        most = groups.error[i] > most ? groups.error[i] : most;
    for (size_t i = 0; i < count; i++) {
        if (groups.error[i] < most * (1 - 0x1p-30) - 0x1p-25)
            continue;
        line_sum at = *l;
        join(groups.sum[i], groups.sum_rest[i], groups.sum_remainder[i], &at.high, &at.low);
        join(groups.magnitude[i], groups.magnitude_rest[i], groups.magnitude_remainder[i],
             &at.magnitude, &at.magnitude_low);
        line_sum_count(&at, FAST_GROUP * i);
        rate_group(s, &at, &f, FAST_GROUP * i);
    }
    return s->judgement->h > before;
}

bool cumsum_fast_line_accept(judge_state *s, line_sum *l, uint64_t begin, uint64_t end) {
    if (!may_begin(s, l))
        return false;
    begun_segment b = begin_segment(s, l, begin, end);
    s->no_steps -= s->no_steps > 0;
    const double largest = largest_error(s, l), h = s->judgement->h;
    bool raises = s->raises && h < largest; /* where one segment did, the next one may */
    bool accepted = false;
    if (!raises)
        accepted = accept_up_to(s, l, &b, h < largest ? h : largest);
    if (!accepted && h < largest)
        accepted = raises = accept_up_to(s, l, &b, largest);
    if (!accepted)
        return false;
    s->raises = raises && raise_largest(s, l, &b);
    watch_segment(s, l, &b.f);
    continue_sums(l, &b.f);
    const uint32_t last = load_32(b.f.outputs, b.f.output_step, b.f.count - 1);
    s->watch.error = ((double)binary32_value(last) - l->high) - l->low;
    s->sequential = b.f.sequential;
    s->judgement->counts[CUMSUM_VERDICT_CONFORMANT] += b.f.count;
    return true;
}

/*
 * Is y, which is outside the bound for one more term, a FAIL? If nothing rounds, every value but S
 * is a FAIL, and no term is so small that flushing could explain it. Otherwise r - 1 is below n,
 * and with g = n u / (1 - n u) < 1.07 n u for n <= 2^20
 *
 *     |y - S| > g A + 2n w (1 + g) + 2^-22 |y| + 2^-148
 *
 * is beyond what flushing explains, and beyond (r - 1) u A by more than the gap between y and its
 * neighbours, so that y is not RN(S + E) or RN(S - E) either. Neither rounds up to a NaN or an
 * infinity: no order overflows if (1 + n u) A is below 2^127.
 */
static bool is_beyond(const line_sum *l, uint64_t y, double distance) {
    const binary_format *f = &binary32_format;
    const double n = (double)l->nonzero, unit = f->unit_roundoff * l->magnitude;
    if (!format_is_finite(f, y))
        return l->magnitude < 0x1p126;
    if (!l->rounds)
        return distance > 0 && l->lowest >= 0x1p-126;
    const double value = fabs(format_value(f, y));
    return distance > 1.08 * n * unit + n * 0x1p-124 + value * 0x1p-22 + 0x1p-148;
}

/* Is the error, as the exact rule computes it, at most h? Infinite errors do not count. */
static bool is_no_larger(const judge_state *s, const line_sum *l, uint64_t y, double distance) {
    const double h = s->judgement->h, unit = binary32_format.unit_roundoff;
    double difference = format_value(&binary32_format, y);
    if (!format_is_finite(&binary32_format, y))
        return true;
    if (difference == 0 && fabs(l->high) == l->magnitude && fabs(l->low) == l->magnitude_low)
        return 1 / unit <= h; /* terms of one sign: S and A are the same, to the last bit */
    const double error = distance / (unit * l->magnitude);
    const bool exact = l->low == 0 && l->magnitude_low == 0 && two_sum(&difference, -l->high) == 0;
    return exact ? error <= h : error * (1 + 0x1p-40) <= h;
}

/* Steps between y and RN(S), for more of which the finding would be the worst so far. */
static bool keeps_worst(judge_state *s, const line_sum *l, uint64_t position, uint64_t y) {
    const binary_format *f = &binary32_format;
    const uint64_t most = judge_worst_ulps(s);
    if (format_is_nan(f, y))
        return most == UINT64_MAX;
    double sum = l->high;
    const double rest = two_sum(&sum, l->low); /* where terms cancel, low is not small */
    const double doubt = rest == 0 ? 0 : fabs(sum) * 0x1p-52; /* less may be lost from sum */
    const uint64_t expected = format_bits(f, sum);
    const bool certain =
        format_bits(f, sum - doubt) == expected && format_bits(f, sum + doubt) == expected;
    const uint64_t ulps = cumsum_ulp_distance(CUMSUM_DATA_TYPE_FLOAT32, expected, y);
    if (!certain)
        return ulps + 1 <= most;
    if (ulps > most) {
        s->worst_fail_ulps = ulps;
        s->worst_fail_line = s->line;
        s->worst_fail_position = position;
    }
    return true;
}

bool cumsum_fast_fail(judge_state *s, const line_sum *l, uint64_t position, uint64_t y,
                      double distance) {
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS];
    if (s->slowly || s->severity < 2 || l->special || l->slack != 0 || l->blurred ||
        l->nonzero > UINT64_C(1) << 20 || !is_beyond(l, y, distance) ||
        !is_no_larger(s, l, y, distance))
        return false;
    const uint64_t index = cumsum_judge_place(s, position, coordinates);
    if (index < s->first_index || !keeps_worst(s, l, position, y))
        return false;
    if (s->verdicts)
        s->verdicts[index] = CUMSUM_VERDICT_FAIL;
    s->judgement->counts[CUMSUM_VERDICT_FAIL]++;
    return true;
}
