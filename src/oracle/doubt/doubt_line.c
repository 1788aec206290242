/* SPDX-License-Identifier: MIT */
/*
 * The rules of doubt on one line (doubt_line.h). Sums are those of line_sum.h, with the error that
 * it knows of; all roundings err on the side of no doubt, by DOUBT_MARGIN.
 *
 * Invariant: what is found depends on the line and the arithmetic alone. So a judgement is the same
 * whichever path found that the line has to be looked at.
 */
#include "doubt_line.h"

#include <math.h>

#include "bit_scan.h"

/* Outputs behind a change of the error that stays. */
enum {
    DOUBT_STAYS = 16
};

/* More than the relative error of anything that is computed here. */
#define DOUBT_MARGIN (1 + 0x1p-30)

static doubt_arithmetic arithmetic_of_row(const rule_row *row, const binary_format *f) {
    const arithmetic *sums = row->sums;
    const bool nearest = sums->rounding == CUMSUM_ROUNDING_NEAREST;
    const bool truncates = sums->rounding == CUMSUM_ROUNDING_TOWARD_ZERO;
    return (doubt_arithmetic){
        .model = row->verdict,
        .models = MODEL(row->verdict) | row->also,
        .sums = {.accumulator = sums->accumulator,
                 .rounding = truncates ? CUMSUM_ROUNDING_TOWARD_ZERO : CUMSUM_ROUNDING_NEAREST,
                 .overflows = true},
        .unit = sums->accumulator->unit_roundoff * (nearest ? 1 : 2),
        .stored = sums->store != STORE_AS_ROUNDED || !format_is(sums->accumulator, f),
        .store = sums->store == STORE_AS_ROUNDED    ? sums->rounding
                 : sums->store == STORE_TOWARD_ZERO ? CUMSUM_ROUNDING_TOWARD_ZERO
                                                    : CUMSUM_ROUNDING_NEAREST,
        .saturates = !nearest && !sums->overflows};
}

/* The place of an arithmetic in a list, which may know it as that of another model. */
static unsigned place_of(const doubt_arithmetic *list, unsigned count,
                         const doubt_arithmetic *how) {
    unsigned i = 0;
    while (i < count && (list[i].unit != how->unit || list[i].stored != how->stored ||
                         list[i].store != how->store ||
                         !format_is(list[i].sums.accumulator, how->sums.accumulator)))
        i++;
    return i;
}

unsigned cumsum_doubt_arithmetics(const judge_state *s, uint32_t models,
                                  doubt_arithmetic list[DOUBT_MOST_ARITHMETICS]) {
    const binary_format *f = judge_format(s);
    const rule_rows profile = rule_rows_of_profile(s->how.profile);
    const rule_rows *table = s->how.profile ? &profile : rule_rows_of(f);
    unsigned count = 0;
    for (unsigned i = 0; i < table->count; i++) {
        if (!s->how.profile && !(models & MODEL(table->rows[i].verdict)))
            continue;
        const doubt_arithmetic how = arithmetic_of_row(&table->rows[i], f);
        const unsigned place = place_of(list, count, &how);
        if (place == count && count < DOUBT_MOST_ARITHMETICS)
            list[count++] = how;
        if (place < count) {
            list[place].models |= how.models;
            list[place].saturates |= how.saturates;
        }
    }
    return count;
}

/* A device that flushes subnormals returns none. */
static bool has_no_subnormal(const judge_state *s, const binary_format *f) {
    for (uint64_t k = 0; k < s->problem.line_length; k++)
        if (!judge_overwritten(s, k) && format_is_subnormal(f, judge_actual(s, k)))
            return false;
    return true;
}

/* How far an interval of errors is from 0. */
static double least_error(doubt_errors e) {
    return doubt_positive_part(e.low > -e.high ? e.low : -e.high);
}

/* What flushing may change: each of n terms and n - 1 sums by w, which later additions enlarge. */
static double flushed_most(const doubt_scan *d, double growth) {
    if (!d->may_flush || !d->terms->tiny)
        return 0;
    const double w = format_least_normal(d->f);
    return (2 * (double)d->terms->sum.nonzero - 1) * w * (1 + growth) * DOUBT_MARGIN;
}

/* A jump that a chunk explains is none, and the errors behind it are those of the carry and of the
 * additions to it. */
static void explain_by_chunk(doubt_scan *d, uint64_t position, doubt_output *o) {
    if (!cumsum_doubt_chunk_explains(d, position, o)) {
        d->unexplained = true;
        return;
    }
    o->jump = 0;
    if (!d->unexplained) {
        d->carry = o->errors;
        o->is_sum = true;
    }
}

/* A carry that a chunk explains is a term like others, with an error of its own. */
static bool is_sum_with_carry(const doubt_scan *d, const doubt_output *o, double growth) {
    const double range = range_size(&d->terms->range);
    const double carry = fmax(fabs(d->carry.low), fabs(d->carry.high));
    return doubt_least_jump(o->errors, d->carry) - o->explained - d->lost <=
           growth * (range + carry) * DOUBT_MARGIN;
}

/* An error that becomes smaller leaves a drift behind, as at the end of a chunk. Where nothing is
 * known, nothing is known of jumps. */
static void find_jump(const doubt_last *last, doubt_output *o) {
    const bool counts = o->known && last->there && !last->unknown && !o->is_unknown;
    if (counts && least_error(o->errors) > least_error(last->errors))
        o->jump =
            doubt_positive_part(doubt_least_jump(o->errors, last->errors) - o->explained) / o->unit;
}

/* Fills in what the rules say. */
static void apply_doubt_rules(const doubt_scan *d, doubt_output *o) {
    const line_progress *t = d->terms;
    const line_sum *l = &t->sum;
    const doubt_arithmetic *how = &d->how;
    const double range = range_size(&t->range), distance = least_error(o->errors);
    const double roundings = (double)(l->nonzero + 1 - line_sum_heavy(l, how->sums.accumulator));
    double growth = roundings * how->unit; /* less than (1 + v)^r - 1 */
    if (distance > growth * range || t->tiny || how->saturates)
        growth = expm1(growth); /* more */
    o->explained = flushed_most(d, growth) + 2 * l->slack;
    if (how->saturates &&
        range * (1 + growth) * DOUBT_MARGIN >= format_largest(how->sums.accumulator))
        return; /* a sum may have stopped at the largest number */
    o->known = true;
    o->neighbours = growth * range * DOUBT_MARGIN;
    o->is_sum = distance - o->explained <= o->neighbours || is_sum_with_carry(d, o, growth);
    o->balanced = 2 * (double)l->log2_terms * how->unit * l->magnitude * DOUBT_MARGIN;
    o->is_unknown = roundings * how->unit >= 0.25 && distance - o->explained > o->balanced;
    o->unit = how->unit * range * bits_of_count(l->terms);
    find_jump(&d->last, o);
}

/* Is something said of an output? */
static bool is_spoken_of(const doubt_scan *d, uint64_t position, uint64_t y) {
    const line_sum *l = &d->terms->sum;
    return !judge_overwritten(d->s, position) && !l->special && format_is_finite(d->f, y) &&
           line_sum_in_range(l, d->f);
}

/* What the rules say, wherever chunks begin. */
static doubt_output look_at_output(doubt_scan *d, uint64_t position) {
    const line_progress *t = d->terms;
    doubt_output o = {.is_sum = true};
    const uint64_t y = judge_actual(d->s, position);
    if (!is_spoken_of(d, position, y)) {
        d->last.there = false;
        return o;
    }
    o.error = doubt_error(&t->sum, format_value(d->f, y));
    o.before = d->last.there ? d->last.error : 0;
    o.errors = doubt_errors_before_store(d->f, &d->how, y, o.error);
    if (range_size(&t->range) > 0 && line_sum_may_round(&t->sum, d->how.sums.accumulator))
        apply_doubt_rules(d, &o);
    d->last =
        (doubt_last){.there = true, .unknown = o.is_unknown, .error = o.error, .errors = o.errors};
    return o;
}

/* The greatest jump, in units of v R l, that is no seam. */
#define DOUBT_NO_SEAM (DOUBT_SEAM_STEP - 0.25)

/* FLOAT32 and FLOAT64, without a store: passes over an output that is surely neither suspect nor
 * at a seam. */
static bool is_plain(doubt_scan *d, uint64_t position) {
    const uint64_t bits = judge_actual(d->s, position);
    const line_sum *l = &d->terms->sum;
    doubt_last *last = &d->last;
    if (!last->there || last->unknown || l->nonzero >= d->watch.renewed_at ||
        !is_spoken_of(d, position, bits))
        return false;
    const double error = doubt_error(l, format_value(d->f, bits)), rest = 4 * l->slack;
    if (!(fabs(error) <= d->watch.error_limit - rest) ||
        !(fabs(error - last->error) <= d->watch.jump_limit - rest))
        return false;
    last->error = last->errors.low = last->errors.high = error;
    return true;
}

/* The limits after the terms so far. They grow along a line. */
static void renew_limits(doubt_scan *d) {
    d->watch.range = d->terms->range;
    watch_limits(&d->watch, &d->terms->sum, d->f, &d->how, DOUBT_NO_SEAM, 0);
}

/* What the rules say, and chunks that begin at the last seam. */
static doubt_output look_behind_seam(doubt_scan *d, uint64_t position) {
    const doubt_last before = d->last;
    doubt_output o = look_at_output(d, position);
    const bool compared = before.there && o.known;
    if (compared && doubt_least_jump(o.errors, before.errors) > DOUBT_SEAM_STEP * o.unit) {
        if (o.jump > DOUBT_JUMP || !o.is_sum)
            d->explain(d, position, &o);
        d->seam = position;
        d->at_seam = o.errors;
    }
    return o;
}

void cumsum_doubt_count_jump(doubt_jumps *j, uint64_t position) {
    if (j->count == 0)
        j->first = position;
    else
        j->distance = cumsum_common_divisor(j->distance, position - j->last);
    j->last = position;
    j->count++;
}

uint64_t cumsum_doubt_seam(const doubt_jumps *j) {
    if (j->count < 3 || j->distance < 2 || j->first > 2 * j->distance)
        return 0;
    return (j->last - j->first) / j->distance + 1 <= 2 * j->count ? j->distance : 0;
}

static unsigned keep_place(doubt_scan *d, unsigned place, uint64_t position, const doubt_output *o,
                           double bound) {
    d->places[place] = (doubt_place){.there = true,
                                     .position = d->s->offset + position,
                                     .terms = d->terms->sum.terms,
                                     .error = o->error,
                                     .before = o->before,
                                     .bound = bound,
                                     .jump = o->jump};
    return 1u << place;
}

/* Is an output evidence? */
static unsigned keep_output(doubt_scan *d, uint64_t position, const doubt_output *o) {
    unsigned kept = 0;
    if (!o->is_sum && !d->places[DOUBT_PLACE_SUM].there)
        kept |= keep_place(d, DOUBT_PLACE_SUM, position, o, o->neighbours);
    if (o->is_unknown && !d->places[DOUBT_PLACE_UNKNOWN].there)
        kept |= keep_place(d, DOUBT_PLACE_UNKNOWN, position, o, o->balanced);
    if (o->jump > DOUBT_JUMP) {
        cumsum_doubt_count_jump(&d->jumps, d->s->offset + position);
        if (o->jump > d->places[DOUBT_PLACE_JUMP].jump)
            kept |= keep_place(d, DOUBT_PLACE_JUMP, position, o, DOUBT_JUMP * o->unit);
    }
    return kept;
}

doubt_output cumsum_doubt_next(doubt_scan *d, uint64_t position, unsigned *kept) {
    const bool has_limits = d->f->precision >= 24 && !d->how.stored;
    *kept = 0;
    if (has_limits && is_plain(d, position))
        return (doubt_output){.is_sum = true};
    if (has_limits)
        renew_limits(d);
    const doubt_output o = look_behind_seam(d, position);
    *kept = keep_output(d, position, &o);
    return o;
}

/* Is the change of the error at a place still there at the end of the line? */
static bool change_stays(const doubt_place *p, const doubt_last *last, uint64_t length) {
    const double change = p->error - p->before;
    return last->there && length - p->position > DOUBT_STAYS && change != 0 &&
           fabs(last->error - p->error) <= fabs(change) / 2;
}

doubt_of_line cumsum_doubt_conclude(const doubt_scan *d, bool regular, uint64_t length) {
    static const cumsum_doubt_reason reasons[DOUBT_PLACES] = {
        [DOUBT_PLACE_SUM] = CUMSUM_DOUBT_NOT_NEIGHBOURS,
        [DOUBT_PLACE_JUMP] = CUMSUM_DOUBT_ERROR_JUMPS,
        [DOUBT_PLACE_UNKNOWN] = CUMSUM_DOUBT_NOTHING_KNOWN};
    const doubt_place *places = d->places;
    const uint64_t seam = cumsum_doubt_seam(&d->jumps);
    const double doubted_jump = seam || regular ? DOUBT_SEAM_JUMP : DOUBT_JUMP;
    const bool jumps = places[DOUBT_PLACE_JUMP].jump > doubted_jump;
    doubt_of_line found = {.doubted_jump = doubted_jump};
    unsigned place = places[DOUBT_PLACE_SUM].there       ? DOUBT_PLACE_SUM
                     : jumps                             ? DOUBT_PLACE_JUMP
                     : places[DOUBT_PLACE_UNKNOWN].there ? DOUBT_PLACE_UNKNOWN
                                                         : DOUBT_PLACES;
    const bool suspect = place < DOUBT_PLACES;
    if (!suspect && !seam) /* a line without a note */
        return found;
    place = suspect ? place : DOUBT_PLACE_JUMP;
    const doubt_place *p = &places[place];
    found.position = p->position;
    found.shown = (cumsum_doubt){.reason = suspect ? reasons[place] : CUMSUM_DOUBT_NONE,
                                 .model = d->how.model,
                                 .terms = p->terms,
                                 .error = p->error,
                                 .error_before = p->before,
                                 .bound = p->bound,
                                 .jump = p->jump,
                                 .seam = seam,
                                 .stays = change_stays(p, &d->last, length)};
    if (place == DOUBT_PLACE_JUMP)
        found.shown.bound *= doubted_jump / DOUBT_JUMP;
    found.place = place;
    return found;
}

/* Looks at each output of a whole line. Marks those that are suspect, if `mark` is not NULL. */
static void scan_line(judge_state *s, doubt_scan *d, double doubted_jump,
                      void (*mark)(judge_state *s, uint64_t position)) {
    const uint64_t exclusive = s->problem.exclusive;
    unsigned kept;
    begin_progress(d->terms);
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        if (k >= exclusive)
            doubt_add_term(d->terms, d->f, judge_term(s, k - exclusive));
        const doubt_output o = cumsum_doubt_next(d, k, &kept);
        if (mark && (!o.is_sum || o.is_unknown || o.jump > doubted_jump))
            mark(s, k);
    }
}

doubt_of_line cumsum_doubt_look(judge_state *s, const doubt_arithmetic *how, double doubted_jump,
                                void (*mark)(judge_state *s, uint64_t position)) {
    line_progress terms;
    if (!judge_format(s)) /* integers, of which nothing is doubted */
        return (doubt_of_line){.position = 0};
    const binary_format *f = judge_format(s);
    doubt_scan d = {.s = s,
                    .how = *how,
                    .f = f,
                    .may_flush = doubt_may_flush(s) && (s->how.profile || has_no_subnormal(s, f)),
                    .terms = &terms,
                    .explain = explain_by_chunk};
    scan_line(s, &d, doubted_jump, mark);
    return cumsum_doubt_conclude(&d, false, s->problem.line_length);
}
