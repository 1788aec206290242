/* SPDX-License-Identifier: MIT */
/*
 * The loop over a FLOAT32 or FLOAT64 line. It accepts an output at once if the fast sum
 * (line_sum.h) proves that it lies within the bound of verdict 1; every other output, and so every
 * one that may fail, goes to the exact rule. docs/oracle.md, "Fast path".
 *
 * Invariant: the fast test never accepts what the rule rejects. unit.test_oracle_trees compares the
 * two on every output.
 */
#include "compiler.h"
#include "doubt_watch.h"
#include "fast_paths.h"
#include "judge_output.h"
#include "judge_steps.h"

/* Is y the sum of the few terms in one of the likely orders? */
CUMSUM_ALWAYS_INLINE bool is_likely_sum(const line_sum *l, const binary_format *f, double y) {
    const arithmetic *how = f->precision == 53 ? &arithmetic_binary64 : &arithmetic_binary32;
    return y == cumsum_reach_in_sequence(l->few, (unsigned)l->nonzero, how) ||
           y == cumsum_reach_in_blocks(l->few, (unsigned)l->nonzero, how);
}

/* Does y surely conform? `short_prefix` is the number of terms of which every order is tried, or 0
 * where there are more. */
CUMSUM_ALWAYS_INLINE bool surely_conforms(const line_sum *l, const binary_format *f, double y,
                                          double distance, double doubt, uint64_t short_prefix) {
    const bool binary64 = f->precision == 53;
    if (!l->rounds)
        return distance == 0;           /* every partial sum is a number of the format */
    if (short_prefix && l->nonzero < 3) /* one addition: the result is S, correctly rounded */
        return binary64 ? y == l->high : l->low == 0 && y == (double)(float)l->high;
    if (l->nonzero <= short_prefix)
        return is_likely_sum(l, f, y); /* every order is tried */
    const double earlier = line_sum_earlier_roundings(l, l->heavy);
    const double bound = line_sum_sure_part(earlier, f->unit_roundoff) * ROUND_DOWN * l->magnitude;
    return line_sum_in_range(l, f) && distance <= bound - doubt;
}

/* The format is a constant here, and in all that follows. */
CUMSUM_ALWAYS_INLINE uint64_t load_float_bits(const unsigned char *base, int64_t step,
                                              uint64_t position, const binary_format *f) {
    return f->precision == 53 ? load_64(base, step, position) : load_32(base, step, position);
}

CUMSUM_ALWAYS_INLINE void judge_float_output(judge_state *s, const line_sum *l,
                                             const binary_format *f, uint64_t position,
                                             uint64_t short_prefix) {
    if (judge_overwritten(s, position))
        return;
    uint64_t y = load_float_bits(s->line_actual, s->actual_step, position, f);
    double value = format_value(f, y), doubt = 2 * l->slack;
    watch_float(&s->watch, l, f, value);
    double distance = f->precision == 53 ? line_sum_distance_in_doubt(l, value, &doubt)
                                         : line_sum_distance(l, value);
    if (!l->special && surely_conforms(l, f, value, distance, doubt, short_prefix) &&
        !(s->options.strict_zero && y == f->sign)) {
        s->judgement->counts[CUMSUM_VERDICT_CONFORMANT]++;
    } else {
        const bool is_long = f->precision == 24 && (!short_prefix || l->nonzero > short_prefix);
        if (is_long && !s->how.profile && cumsum_fast_fail(s, l, position, y, distance))
            return;
        cumsum_verdict verdict = cumsum_judge_exactly(s, position);
        if (verdict == CUMSUM_VERDICT_EXACT || verdict >= CUMSUM_VERDICT_INDETERMINATE)
            return;
    }
    if (distance != 0 || doubt > 0)
        judge_rate(s, l, f, position, y, distance, doubt);
}

/* Adds a term. */
CUMSUM_ALWAYS_INLINE void add_float_term(const judge_state *s, line_sum *l, const binary_format *f,
                                         uint64_t position, uint64_t short_prefix) {
    uint64_t bits = load_float_bits(s->line_input, s->input_step, position, f);
    double value = format_value(f, bits);
    if (short_prefix)
        line_sum_keep(l, value);
    line_sum_add(l, f, bits, value);
}

/* Adds a term, and judges the output that it completes: its own, or in an exclusive scan the next
 * one. */
CUMSUM_ALWAYS_INLINE void judge_term_at(judge_state *s, line_sum *l, const binary_format *f,
                                        uint64_t position, bool exclusive, uint64_t short_prefix) {
    add_float_term(s, l, f, position, short_prefix);
    judge_float_output(s, l, f, position + exclusive, short_prefix);
    if (f->precision == 24 && (s->offset + position + 1) % FAST_GROUP == 0)
        line_sum_settle(l);
}

/* Is the output of a position the sum of the one before it and the term? */
static bool continues_sequence(const judge_state *s, uint64_t position) {
    const float y = binary32_value(load_32(s->line_actual, s->actual_step, position));
    if (position == 0 && s->problem.exclusive)
        return y == 0;
    const uint64_t k = position - s->problem.exclusive;
    const float before =
        position ? binary32_value(load_32(s->line_actual, s->actual_step, position - 1)) : 0;
    return before + binary32_value(load_32(s->line_input, s->input_step, k)) == y;
}

/* Inlined once for each format and kind of scan: a loop for the short prefixes, and one that need
 * not look for them. */
CUMSUM_ALWAYS_INLINE void judge_segment(judge_state *s, line_sum *l, const binary_format *f,
                                        uint64_t begin, uint64_t end, bool exclusive,
                                        uint64_t short_prefix) {
    uint64_t k = begin;
    for (; k < end && l->nonzero <= short_prefix; k++)
        judge_term_at(s, l, f, k, exclusive, short_prefix);
    for (; k < end; k++)
        judge_term_at(s, l, f, k, exclusive, 0);
    for (k = begin; s->sequential && k < end; k++)
        s->sequential = continues_sequence(s, k + exclusive);
}

/* The first output of an exclusive scan or of a piece of one: all of its terms have been added. */
CUMSUM_ALWAYS_INLINE void judge_exclusive_first(judge_state *s, line_sum *l, const binary_format *f,
                                                uint64_t short_prefix) {
    judge_float_output(s, l, f, 0, l->nonzero <= short_prefix ? short_prefix : 0);
    if (f->precision == 24 && s->offset && s->offset % FAST_GROUP == 0)
        line_sum_settle(l);
}

CUMSUM_ALWAYS_INLINE void judge_float_line(judge_state *s, line_progress *progress,
                                           const binary_format *f, bool exclusive) {
    line_sum l = progress->sum;
    const uint64_t short_prefix = judge_short_prefix(s);
    const uint64_t terms = s->problem.line_length - exclusive; /* the last one completes nothing */
    if (exclusive)
        judge_exclusive_first(s, &l, f, short_prefix);
    if (exclusive && s->sequential)
        s->sequential = continues_sequence(s, 0);
    for (uint64_t begin = 0; begin < terms;) {
        const uint64_t next = fast_segment_end(begin), end = next < terms ? next : terms;
        if (f->precision == 24 && cumsum_fast_line_accept(s, &l, begin, end))
            line_sum_settle(&l);
        else
            judge_segment(s, &l, f, begin, end, exclusive, short_prefix);
        begin = end;
    }
    if (exclusive && s->whole_length) /* it is a term of the next piece's first output */
        add_float_term(s, &l, f, terms, REACH_MOST);
    progress->sum = l;
}

void cumsum_judge_line_float(judge_state *s, line_progress *progress) {
    const bool binary64 = s->problem.element_size == 8;
    if (binary64 && s->problem.exclusive)
        judge_float_line(s, progress, &binary64_format, true);
    else if (binary64)
        judge_float_line(s, progress, &binary64_format, false);
    else if (s->problem.exclusive)
        judge_float_line(s, progress, &binary32_format, true);
    else
        judge_float_line(s, progress, &binary32_format, false);
}
