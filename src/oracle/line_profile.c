/* SPDX-License-Identifier: MIT */
/*
 * The loop over a line of any floating type, for profiles that the fast paths do not know. It
 * accepts an output at once if the fast sum (line_sum.h) proves that the profile's rule does; every
 * other output, and so every one that may fail, goes to the exact rule.
 *
 * Invariant: the fast test never accepts what the rule does not. unit.test_oracle_profiles compares
 * the two.
 */
#include "doubt_watch.h"
#include "judge_output.h"
#include "judge_steps.h"

/* A line, as far as it was read. */
typedef struct profile_line {
    const arithmetic *how;
    arithmetic likely; /* a choice that every such device may make */
    const binary_format *f;
    line_sum sum;
    double top; /* the greatest and the least of the prefix sums */
    double bottom;
    bool tiny; /* a term may have bits below the smallest normal number */
    sequence_sum sequence;
    double least_normal;
} profile_line;

static void begin_profile_line(profile_line *l, const judge_state *s, const line_progress *progress,
                               const binary_format *f) {
    *l = (profile_line){.how = s->how.profile,
                        .likely = *s->how.profile,
                        .f = f,
                        .sum = progress->sum,
                        .top = progress->top,
                        .bottom = progress->bottom,
                        .tiny = progress->tiny,
                        .sequence = progress->sequence};
    l->least_normal = format_least_normal(l->f);
    if (l->likely.rounding == CUMSUM_ROUNDING_EITHER)
        l->likely.rounding = CUMSUM_ROUNDING_NEAREST;
}

static void add_profile_term(profile_line *l, const judge_state *s, uint64_t position) {
    const binary_format *f = l->f;
    const uint64_t bits = judge_term(s, position);
    const double value = format_value(f, bits);
    const bool first = l->sum.nonzero == 0;
    line_sum_keep(&l->sum, value);
    line_sum_add(&l->sum, f, bits, value);
    if ((s->offset + position + 1) % FAST_GROUP == 0 && f->precision == 24)
        line_sum_settle(&l->sum);
    l->tiny |= value != 0 && (bits & f->infinity) >> (f->precision - 1) < (uint64_t)f->precision;
    l->top = l->sum.high > l->top ? l->sum.high : l->top;
    l->bottom = l->sum.high < l->bottom ? l->sum.high : l->bottom;
    /* A zero changes a sum only where flushing must, and there the exact rule decides. */
    if (l->how->order == CUMSUM_ALLOWED_SEQUENTIAL && value != 0 && !l->sum.special)
        cumsum_sequence_add(&l->sequence, l->how, value, l->least_normal, first);
}

/* Is y surely one of the sums of a few terms? */
static bool is_likely(const profile_line *l, double y) {
    const unsigned count = (unsigned)l->sum.nonzero;
    return format_is(l->how->accumulator, l->f) &&
           (y == cumsum_reach_in_sequence(l->sum.few, count, &l->likely) ||
            (l->how->order != CUMSUM_ALLOWED_SEQUENTIAL && count &&
             y == cumsum_reach_in_blocks(l->sum.few, count, &l->likely)));
}

/* S is in the interval, and so is what it is stored as. */
static bool is_stored_sum(const profile_line *l, uint64_t y) {
    const rounding_direction direction = rounding_end(l->likely.rounding, false);
    double high = l->sum.high;
    const double low = two_sum(&high, l->sum.low);
    const uint64_t sum = cumsum_round_sum(l->how->accumulator, high, low, direction);
    return l->sum.slack == 0 &&
           y == cumsum_round_sum(l->f, format_value(l->how->accumulator, sum), 0, direction);
}

/* Is |y - S| within the additions before the last one, counted with u? Where the accumulator is
 * wider than binary32 the count is not kept. */
static bool is_within(const profile_line *l, double distance, double doubt) {
    const binary_format *sums = l->how->accumulator;
    if (distance == 0 && doubt == 0)
        return true;
    if (sums->precision > l->f->precision && sums->precision == 53)
        return false;
    if (!line_sum_may_round(&l->sum, sums))
        return false;
    const double earlier = line_sum_earlier_roundings(&l->sum, line_sum_heavy(&l->sum, sums));
    const double part = line_sum_sure_part(earlier, sums->unit_roundoff) * ROUND_DOWN;
    double bound = part * l->sum.magnitude;
    if (l->how->order == CUMSUM_ALLOWED_CONTIGUOUS) {
        const double range = (l->top - l->bottom) * WATCH_MARGIN - 2 * l->sum.slack;
        const double neighbours = part * range;
        bound = neighbours < bound ? neighbours : bound;
    }
    return distance <= bound - doubt;
}

/* Is no partial sum near the largest number of the accumulator? */
static bool is_far_from_overflow(const profile_line *l) {
    const binary_format *f = l->how->accumulator;
    const double largest = format_value(f, f->infinity - 1);
    const double type_largest = format_value(l->f, l->f->infinity - 1);
    return l->sum.magnitude < largest / 4 && l->sum.magnitude < type_largest / 4 &&
           (double)l->sum.nonzero * 2 * f->unit_roundoff <= 1;
}

/* Does y surely conform? */
static bool surely_conforms_to(const profile_line *l, const judge_state *s, uint64_t y,
                               double value, double distance, double doubt) {
    const arithmetic *how = l->how;
    const uint64_t short_prefix = judge_short_prefix(s);
    const bool must =
        how->flush_inputs == CUMSUM_FLUSH_MUST || how->flush_results == CUMSUM_FLUSH_MUST;
    if (s->slowly || l->sum.special || !format_is_finite(l->f, y) || (must && l->tiny) ||
        (s->options.strict_zero && y == l->f->sign) || !line_sum_in_range(&l->sum, l->f))
        return false;
    if (must && format_is_subnormal(l->f, y))
        return false;
    if (how->specials_absent && !is_far_from_overflow(l))
        return false;
    if (l->sum.nonzero <= short_prefix)
        return is_likely(l, value);
    if (how->order == CUMSUM_ALLOWED_SEQUENTIAL)
        return format_is(how->accumulator, l->f) && l->sequence.low <= value &&
               value <= l->sequence.high;
    return is_within(l, distance, doubt) || is_stored_sum(l, y);
}

static void judge_profile_output(judge_state *s, const profile_line *l, uint64_t position) {
    const binary_format *f = l->f;
    if (judge_overwritten(s, position))
        return;
    const uint64_t y = judge_actual(s, position);
    const double value = format_value(f, y);
    double doubt = 2 * l->sum.slack;
    const double distance = f->precision == 53 ? line_sum_distance_in_doubt(&l->sum, value, &doubt)
                                               : line_sum_distance(&l->sum, value);
    if (s->watch.sure && format_is(l->how->accumulator, f) && f->precision >= 24)
        watch_float(&s->watch, &l->sum, f, value);
    else
        s->watch.sure = 0;
    if (surely_conforms_to(l, s, y, value, distance, doubt)) {
        s->judgement->counts[CUMSUM_VERDICT_CONFORMANT]++;
    } else {
        const cumsum_verdict verdict = cumsum_judge_exactly(s, position);
        if (verdict == CUMSUM_VERDICT_EXACT || verdict >= CUMSUM_VERDICT_INDETERMINATE)
            return;
    }
    if (distance != 0 || doubt > 0)
        judge_rate(s, &l->sum, f, position, y, distance, doubt);
}

void cumsum_judge_line_profile(judge_state *s, line_progress *progress) {
    const bool exclusive = s->problem.exclusive;
    const binary_format *f = judge_format(s);
    profile_line l;
    if (!f)
        return;
    begin_profile_line(&l, s, progress, f);
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        if (exclusive)
            judge_profile_output(s, &l, k);
        add_profile_term(&l, s, k);
        if (!exclusive)
            judge_profile_output(s, &l, k);
    }
    progress->sum = l.sum;
    progress->top = l.top;
    progress->bottom = l.bottom;
    progress->tiny = l.tiny;
    progress->sequence = l.sequence;
}
