/* SPDX-License-Identifier: MIT */
/*
 * The loop over a line of a floating-point type. It decides an output at once if the fast test
 * (line_fit.h) can tell the verdict and the models that fit every output of the tensor; every other
 * output, and so every one that may fail, goes to the exact rule. docs/oracle.md, "Fast path".
 *
 * Invariant: the fast test never accepts what the rule rejects. unit.test_oracle_fast compares
 * the two.
 */
#include "judge_output.h"
#include "line_fit.h"
#include "screen.h"

/* The format is a constant here, and in all that follows. */
CUMSUM_ALWAYS_INLINE uint64_t load_bits(const unsigned char *base, int64_t step, uint64_t position,
                                        const binary_format *f) {
    return load_element(base, step, position, f->precision == 53 ? 8 : f->precision == 24 ? 4 : 2);
}

CUMSUM_ALWAYS_INLINE line_output read_output(const judge_state *s, const line_sum *l,
                                             const binary_format *f, uint64_t position) {
    line_output o = {.y = load_bits(s->line_actual, s->actual_step, position, f),
                     .doubt = 2 * l->slack};
    o.value = format_value(f, o.y);
    o.distance = f->precision == 53 ? line_sum_distance_in_doubt(l, o.value, &o.doubt)
                                    : line_sum_distance(l, o.value);
    return o;
}

CUMSUM_ALWAYS_INLINE void watch_outputs(judge_state *s, const line_sum *l, const binary_format *f,
                                        const line_output *o) {
    const unsigned most = f->precision < 24 ? s->watched_count : 1;
    for (unsigned i = 0; i < most; i++)
        watch_output(&s->watch[i], l, f, &s->watched[i], o->y, o->value);
}

CUMSUM_ALWAYS_INLINE line_fit fit_output(const judge_state *s, const line_progress *progress,
                                         const line_sum *l, const binary_format *f,
                                         const line_output *o, bool by_profile,
                                         uint64_t short_prefix) {
    if (by_profile)
        return (line_fit){.yes = surely_conforms_to(s, progress, l, f, o) ? s->how.allowed : 0};
    const arithmetic *own = f->precision == 53 ? &arithmetic_binary64 : &arithmetic_binary32;
    if (f->precision >= 24)
        return (line_fit){.yes = surely_fits(l, f, own, o, short_prefix) ? s->how.allowed : 0};
    if (format_is_nan(f, o->y) || !line_sum_in_range(l, f) ||
        (f->precision == 8 && !format_is_finite(f, o->y))) /* a binary32 sum may have overflowed */
        return (line_fit){0, 0};
    return fit_16_bit(s, l, f, o, short_prefix);
}

/* Records the verdict, if the fast test knows it and no model is lost or kept by what it does not
 * know. */
CUMSUM_ALWAYS_INLINE bool decide_output(judge_state *s, line_fit fits, uint64_t position,
                                        cumsum_verdict *verdict) {
    const uint32_t fitting = fits.yes & s->how.allowed, before_first = (fitting & -fitting) - 1;
    if (!fitting || (fits.unsure & s->how.allowed & before_first))
        return false; /* the verdict is FAIL, or a model that is tried earlier may fit */
    if (fits.unsure & s->judgement->models)
        return false; /* a model that has fitted every output so far may be lost here */
    s->judgement->models &= fits.yes;
    *verdict = rule_first_model(fitting);
    if (*verdict == s->prefill_verdict)
        s->judgement->counts[*verdict]++;
    else
        cumsum_judge_record(s, position, *verdict, NULL);
    return true;
}

/* A line as its loop sees it; all members but the last two are constants of the inlined loop. */
typedef struct line_loop {
    const binary_format *f;
    bool exclusive;
    bool by_profile;
    judge_state *s;
    line_progress *progress;
} line_loop;

/* `short_prefix` is the number of terms of which every order is tried, or 0 where there are more.
 */
CUMSUM_ALWAYS_INLINE void judge_output(const line_loop *loop, const line_sum *l, uint64_t position,
                                       uint64_t short_prefix) {
    judge_state *s = loop->s;
    const binary_format *f = loop->f;
    if (judge_overwritten(s, position))
        return;
    const line_output o = read_output(s, l, f, position);
    cumsum_verdict verdict;
    watch_outputs(s, l, f, &o);
    if (l->special || (s->options.strict_zero && o.y == f->sign) ||
        !decide_output(s, fit_output(s, loop->progress, l, f, &o, loop->by_profile, short_prefix),
                       position, &verdict)) {
        const bool is_long = f->precision >= 24 && (!short_prefix || l->nonzero > short_prefix);
        if (is_long && !s->how.profile &&
            cumsum_screen_fail(s, l, position, o.y, o.distance, o.doubt))
            return;
        verdict = cumsum_judge_exactly(s, position).verdict;
    }
    if (verdict == CUMSUM_VERDICT_EXACT || verdict >= CUMSUM_VERDICT_MAY_OVERFLOW)
        return;
    if (o.distance != 0 || o.doubt > 0)
        judge_rate(s, l, f, position, o.y, o.distance, o.doubt);
}

/* What only profiles ask for. A zero changes a sum only where flushing must, and there the exact
 * rule decides. */
static void follow_profile(const line_loop *loop, const line_sum *l, uint64_t bits, double value,
                           bool first) {
    const binary_format *f = loop->f;
    const arithmetic *how = loop->s->how.profile;
    line_progress *p = loop->progress;
    p->tiny |= value != 0 && (bits & f->infinity) >> (f->precision - 1) < (uint64_t)f->precision;
    range_widen(&p->range, l->high);
    if (how->order == CUMSUM_ALLOWED_SEQUENTIAL && value != 0 && !l->special)
        cumsum_sequence_add(&p->sequence, how, value, format_least_normal(f), first);
}

CUMSUM_ALWAYS_INLINE void append_term(const line_loop *loop, line_sum *l, uint64_t position,
                                      uint64_t short_prefix) {
    const uint64_t bits = load_bits(loop->s->line_input, loop->s->input_step, position, loop->f);
    const double value = format_value(loop->f, bits);
    const bool first = l->nonzero == 0;
    if (short_prefix)
        line_sum_keep(l, value);
    line_sum_add(l, loop->f, bits, value);
    if (loop->by_profile)
        follow_profile(loop, l, bits, value, first);
}

/* Adds a term and judges the output that it completes, where scans are exclusive the next one. */
CUMSUM_ALWAYS_INLINE void judge_element(const line_loop *loop, line_sum *l, uint64_t k,
                                        uint64_t short_prefix) {
    append_term(loop, l, k, short_prefix);
    judge_output(loop, l, k + loop->exclusive, short_prefix);
}

/* Inlined once for each format and kind of scan: a loop for the short prefixes, and one that need
 * not look for them. */
CUMSUM_ALWAYS_INLINE void judge_elements(const line_loop *loop, line_sum *l, uint64_t begin,
                                         uint64_t end) {
    const uint64_t short_prefix = rule_short_prefix(&loop->s->how);
    uint64_t k = begin;
    for (; k < end && l->nonzero <= short_prefix; k++)
        judge_element(loop, l, k, short_prefix);
    for (; k < end; k++)
        judge_element(loop, l, k, 0);
}

/* FLOAT32 and FLOAT64: is each of these outputs the one before it plus its term? Before the first
 * one is a zero. */
CUMSUM_ALWAYS_INLINE void check_sequence(const line_loop *loop, uint64_t begin, uint64_t end) {
    judge_state *s = loop->s;
    const binary_format *f = loop->f;
    if (!s->sequential || begin == end)
        return;
    uint64_t before = begin ? load_bits(s->line_actual, s->actual_step, begin - 1, f) : 0;
    for (uint64_t k = begin; s->sequential && k < end; k++) {
        const uint64_t y = load_bits(s->line_actual, s->actual_step, k, f);
        const uint64_t term = k >= loop->exclusive
                                  ? load_bits(s->line_input, s->input_step, k - loop->exclusive, f)
                                  : 0;
        const uint64_t sum = format_bits(f, format_value(f, before) + format_value(f, term));
        s->sequential = judge_same_output(s, y, sum);
        before = y;
    }
}

/* The first output of an exclusive scan or of a piece of one: all of its terms have been added. */
CUMSUM_ALWAYS_INLINE void judge_exclusive_first(const line_loop *loop, line_sum *l) {
    judge_state *s = loop->s;
    const uint64_t short_prefix = rule_short_prefix(&s->how);
    judge_output(loop, l, 0, l->nonzero <= short_prefix ? short_prefix : 0);
    check_sequence(loop, 0, 1);
}

/* Judges what the screen leaves of the terms from k on, and a few more; returns the first one that
 * is left. */
CUMSUM_ALWAYS_INLINE uint64_t judge_next(const line_loop *loop, line_sum *l, uint64_t k,
                                         uint64_t terms) {
    const int precision = loop->f->precision;
    const bool screened = !loop->by_profile && (precision == 24 || precision == 11);
    const uint64_t begin = screened ? cumsum_screen_line(loop->s, l, k, terms) : k;
    const uint64_t most = screened ? screen_piece(begin) : terms;
    const uint64_t end = terms - begin < most ? terms : begin + most;
    judge_elements(loop, l, begin, end);
    check_sequence(loop, begin + loop->exclusive, end + loop->exclusive);
    return end;
}

CUMSUM_ALWAYS_INLINE void judge_line(judge_state *s, line_progress *progress,
                                     const binary_format *f, bool exclusive, bool by_profile) {
    const line_loop loop = {f, exclusive, by_profile, s, progress};
    const uint64_t terms = s->problem.line_length - exclusive; /* the last one completes nothing */
    line_sum l = progress->sum;
    if (exclusive)
        judge_exclusive_first(&loop, &l);
    for (uint64_t k = 0; k < terms;)
        k = judge_next(&loop, &l, k, terms);
    if (exclusive && s->between) /* it is a term of the next piece's first output */
        append_term(&loop, &l, terms, REACH_MOST);
    progress->sum = l;
}

/* The formats are constants. */
CUMSUM_ALWAYS_INLINE void judge_line_of(judge_state *s, line_progress *progress, bool exclusive,
                                        bool by_profile) {
    switch (judge_format(s)->precision) {
    case 8:
        judge_line(s, progress, &bfloat16_format, exclusive, by_profile);
        break;
    case 11:
        judge_line(s, progress, &binary16_format, exclusive, by_profile);
        break;
    case 24:
        judge_line(s, progress, &binary32_format, exclusive, by_profile);
        break;
    default:
        judge_line(s, progress, &binary64_format, exclusive, by_profile);
    }
}

void cumsum_judge_line_float(judge_state *s, line_progress *progress) {
    if (s->by_profile)
        judge_line_of(s, progress, s->problem.exclusive, true);
    else if (s->problem.exclusive)
        judge_line_of(s, progress, true, false);
    else
        judge_line_of(s, progress, false, false);
}
