/* SPDX-License-Identifier: MIT */
/*
 * Doubt in pieces (doubt_pieces.h). The rules are those of doubt_line.c, but for what needs the
 * terms before the piece, of which there are two things:
 *
 * - whether a chunk explains a jump. A bound takes the place of the chunk's rounding error:
 *   DOUBT_DRIFTS times the difference of the greatest and the least error so far of the line's sum,
 *   in sequence or in lanes. The bound of lanes is also subtracted from the errors of outputs,
 * since a carry may have such an error.
 * - whether a named order gives the line. The sequential ones are followed. Others have errors that
 *   no rule doubts: docs/oracle.md.
 */
#include "doubt_pieces.h"

#include <math.h>
#include <string.h>

#include "judge_output.h"
#include "judge_steps.h"
#include "order_scan.h"

/* Sequential orders of a type: FLOAT16 has as many. */
enum {
    DOUBT_SEQUENTIAL_ORDERS = 4
};

/* Two halves of a chunk may each lose as much as the line, with a margin of two. */
#define DOUBT_DRIFTS 4.0

static bool sums_are_known(const judge_state *s) {
    return s->how.profile && s->how.profile->order == CUMSUM_ALLOWED_SEQUENTIAL;
}

bool cumsum_doubt_has_pieces(const judge_state *s) {
    return judge_format(s) && !s->options.no_doubt && !sums_are_known(s);
}

static unsigned arithmetics_of_all(const judge_state *s,
                                   doubt_arithmetic list[DOUBT_MOST_ARITHMETICS]) {
    return cumsum_doubt_arithmetics(s, s->how.allowed, list);
}

unsigned cumsum_doubt_models(const judge_state *s) {
    doubt_arithmetic list[DOUBT_MOST_ARITHMETICS];
    return arithmetics_of_all(s, list);
}

size_t cumsum_doubt_between_size(const judge_state *s) {
    return sizeof(doubt_between) + cumsum_doubt_models(s) * sizeof(doubt_model);
}

void cumsum_doubt_begin_line(const judge_state *s, doubt_between *line) {
    cumsum_doubt_no_terms(&line->terms);
    line->sequential = judge_is_16_bit(s) ? 15 : 9;
}

/* The piece of a line under one arithmetic. */
typedef struct doubt_pass {
    doubt_scan scan;
    arithmetic additions;
    int which;     /* of the line's sums is that of these additions; -1: none */
    bool is_float; /* sums are outputs, of FLOAT32 or FLOAT64 */
} doubt_pass;

/* ---- sequential sums ---- */

/* How the two sequential sums of a line are added. */
static arithmetic additions_of_sum(const judge_state *s, unsigned which) {
    const binary_format *f = judge_format(s);
    if (judge_is_16_bit(s))
        return (arithmetic){.accumulator = which ? f : &binary32_format};
    return (arithmetic){.accumulator = f,
                        .flush_results = which ? CUMSUM_FLUSH_MUST : CUMSUM_FLUSH_NEVER};
}

/* Which of them is the sum of these additions? -1: neither. */
static int which_sum(const judge_state *s, const arithmetic *how) {
    for (unsigned i = 0; i < 2; i++) {
        const arithmetic sum = additions_of_sum(s, i);
        const bool has_formats = sum.accumulator && how->accumulator; /* integers have none */
        if (how->rounding == CUMSUM_ROUNDING_NEAREST && !arithmetic_flushes(&sum) && has_formats &&
            format_is(sum.accumulator, how->accumulator))
            return (int)i;
    }
    return -1;
}

/* Does one of the two sums, stored in some way, give the output? */
static bool gives_output(const judge_state *s, double sum, int store, uint64_t y) {
    const binary_format *f = judge_format(s);
    uint64_t bits = f->infinity | 1;
    if (!judge_is_16_bit(s))
        bits = format_bits(f, sum);
    else if (!isnan(sum))
        bits = half_store(f, binary32_bits((float)sum), store);
    return bits == y || cumsum_same_bits(s->problem.type, bits, y) ||
           (!s->options.strict_zero && ((bits | y) & ~f->sign) == 0);
}

/* Which of these sequential orders give an output? Bits 0 to 2: the first sum with each store, of
 * 16 bits; 3: the second sum. */
static uint32_t sequential_orders(const judge_state *s, const doubt_between *line, uint64_t y) {
    uint32_t given = 0;
    for (unsigned i = 0; i < DOUBT_SEQUENTIAL_ORDERS; i++)
        if (line->sequential >> i & 1)
            given |= (uint32_t)gives_output(s, line->sums[i == 3],
                                            i == 3 ? CUMSUM_HALF_STORE_IEEE : (int)i, y)
                     << i;
    return given;
}

static void add_to_sums(const judge_state *s, doubt_between *line, uint64_t bits, double value) {
    const binary_format *f = judge_format(s);
    const arithmetic first = additions_of_sum(s, 0), other = additions_of_sum(s, 1);
    const bool flushes = arithmetic_flushes(&other);
    const double before = line->sums[0];
    line->sums[0] = order_add(before, value, &first);
    /* Most sums are the same with flushing. */
    if (flushes && line->sums[1] == before && before != 0 && fabs(line->sums[0]) > FLT_MIN &&
        !format_is_subnormal(f, bits)) {
        line->sums[1] = line->sums[0];
        return;
    }
    const bool flushed = flushes && format_is_subnormal(f, bits);
    line->sums[1] = order_add(line->sums[1], flushed ? copysign(0, value) : value, &other);
}

static void widen_range(doubt_range *r, double error) {
    r->low = error < r->low ? error : r->low;
    r->high = error > r->high ? error : r->high;
}

static double range_of(const doubt_range *r) {
    return r->high - r->low;
}

/* What a sequential sum and one in lanes have lost so far. Lanes count where they are larger than
 * R, that is, than sums of neighbours. The term has this number in its line. */
static void add_to_model(const doubt_pass *pass, const doubt_between *line, uint64_t number,
                         double term) {
    doubt_model *m = pass->scan.model;
    const doubt_terms *t = pass->scan.terms;
    double *lane = &m->lanes[number % DOUBT_LANES], all = 0, size = 0;
    m->sum =
        pass->which >= 0 ? line->sums[pass->which] : arithmetic_add(m->sum, term, &pass->additions);
    widen_range(&m->drift, doubt_error(&t->l, m->sum));
    *lane = arithmetic_add(*lane, term, &pass->additions);
    if (number % DOUBT_LANES < DOUBT_LANES - 1)
        return;
    for (unsigned i = 0; i < DOUBT_LANES; i++) {
        all += m->lanes[i];
        size += fabs(m->lanes[i]);
    }
    if (!(size > DOUBT_LANES * (t->top - t->bottom)) || isinf(size)) /* a lane may overflow */
        return;
    const double error = doubt_error(&t->l, all), rounding = pass->scan.how->unit * size / 2;
    widen_range(&m->lane_drift, error - rounding);
    widen_range(&m->lane_drift, error + rounding);
}

/* ---- outputs ---- */

/* Which outputs are doubtful: 0: above either threshold; 1: above DOUBT_JUMP; 2: not. */
static unsigned threshold_of(const doubt_output *o) {
    return !o->is_sum || o->is_unknown ? 0
           : o->jump > DOUBT_SEAM_JUMP ? 0
           : o->jump > DOUBT_JUMP      ? 1
                                       : DOUBT_THRESHOLDS;
}

/* A chunk that began at the last seam may have lost as much as sums of all terms so far. */
static void explain_by_bound(doubt_scan *d, uint64_t position, doubt_output *o) {
    const double drift = fmax(DOUBT_DRIFTS * range_of(&d->model->drift), d->lost);
    if (!(o->jump > DOUBT_JUMP))
        return;
    cumsum_doubt_count_jump(&d->model->jumps, d->s->offset + position);
    if (doubt_least_jump(o->errors, d->at_seam) <= drift + DOUBT_SEAM_REST * o->unit)
        o->jump = 0;
}

/* The greatest jump, in units of v R l, that is no seam. */
#define DOUBT_NO_SEAM (DOUBT_SEAM_STEP - 0.25)

/* FLOAT32 and FLOAT64: limits up to which an output is surely neither doubtful nor at a seam. */
static void find_piece_limits(doubt_model *m, const doubt_scan *d) {
    m->watch.top = d->terms->top;
    m->watch.bottom = d->terms->bottom;
    watch_limits(&m->watch, &d->terms->l, d->f, d->how, DOUBT_NO_SEAM, 0);
}

/* Passes over an output that is surely neither doubtful nor at a seam. */
static bool is_plain(doubt_pass *pass, uint64_t bits) {
    const doubt_terms *t = pass->scan.terms;
    const doubt_watch *w = &pass->scan.model->watch;
    doubt_last *last = &pass->scan.last;
    if (!pass->is_float || !last->there || last->unknown || t->l.special ||
        t->l.nonzero >= w->renewed_at || !format_is_finite(pass->scan.f, bits) ||
        !line_sum_in_range(&t->l, pass->scan.f))
        return false;
    const double error = doubt_error(&t->l, format_value(pass->scan.f, bits));
    const double rest = 4 * t->l.slack;
    if (!(fabs(error) <= w->error_limit - rest) ||
        !(fabs(error - last->error) <= w->jump_limit - rest))
        return false;
    last->error = last->errors.low = last->errors.high = error;
    return true;
}

static void look_at_piece_output(judge_state *s, doubt_pass *pass, uint64_t position,
                                 cumsum_verdict only) {
    doubt_scan *d = &pass->scan;
    doubt_model *m = d->model;
    if (is_plain(pass, judge_actual(s, position)))
        return;
    if (pass->is_float)
        find_piece_limits(m, d);
    d->lost = DOUBT_DRIFTS * range_of(&m->lane_drift);
    const doubt_output o = cumsum_doubt_output(d, position);
    const unsigned threshold = threshold_of(&o);
    const unsigned kept =
        cumsum_doubt_keep_output(&m->evidence, s->offset + position, d->terms->l.terms, &o);
    cumsum_finding finding = {.verdict = only};
    if (kept || (threshold < DOUBT_THRESHOLDS && only == CUMSUM_VERDICT_COUNT))
        cumsum_judge_by_rule(s, position, &finding);
    if (threshold < DOUBT_THRESHOLDS && finding.verdict < CUMSUM_VERDICT_INDETERMINATE)
        m->marked[threshold][finding.verdict]++;
    for (unsigned i = 0; i < DOUBT_PLACES; i++)
        if (kept >> i & 1)
            m->findings[i] = finding;
}

/* A device that flushes subnormals returns none; whether the line has one is not known before its
 * end. So flushing explains errors wherever subnormals are kept as well. */
static bool may_flush_in_pieces(const judge_state *s) {
    return s->how.profile ? arithmetic_flushes(s->how.profile) : judge_format(s)->precision >= 24;
}

static void begin_pass(const judge_state *s, doubt_between *line, const doubt_arithmetic *how,
                       doubt_model *m, doubt_pass *pass) {
    const binary_format *f = judge_format(s);
    *pass = (doubt_pass){.scan = {.s = s,
                                  .how = how,
                                  .f = f,
                                  .may_flush = may_flush_in_pieces(s),
                                  .terms = &line->terms,
                                  .last = m->last,
                                  .at_seam = m->at_seam,
                                  .explain = explain_by_bound,
                                  .model = m},
                         .is_float = f->precision >= 24 && how->store == DOUBT_STORE_NONE};
    pass->additions = doubt_additions(&pass->scan);
    pass->which = which_sum(s, &pass->additions);
}

static void add_piece_term(const judge_state *s, doubt_between *line, const doubt_pass *passes,
                           unsigned count, uint64_t position) {
    const binary_format *f = judge_format(s);
    const uint64_t bits = judge_term(s, position), number = s->offset + position;
    const double value = format_value(f, bits);
    doubt_add_term(&line->terms, f, number, bits);
    add_to_sums(s, line, bits, value);
    for (unsigned i = 0; i < count; i++)
        add_to_model(&passes[i], line, number, value);
}

static void look_at_piece_outputs(judge_state *s, doubt_between *line, doubt_pass *passes,
                                  unsigned count, uint64_t position, cumsum_verdict only) {
    if (line->sequential)
        line->sequential = sequential_orders(s, line, judge_actual(s, position));
    for (unsigned i = 0; i < count; i++)
        look_at_piece_output(s, &passes[i], position, only);
}

void cumsum_doubt_piece(judge_state *s, doubt_between *line, cumsum_verdict only) {
    doubt_arithmetic list[DOUBT_MOST_ARITHMETICS];
    doubt_pass passes[DOUBT_MOST_ARITHMETICS];
    const unsigned count = arithmetics_of_all(s, list);
    const bool exclusive = s->problem.exclusive;
    cumsum_judge_renew_sums(s, &line->terms.l);
    for (unsigned i = 0; i < count; i++)
        begin_pass(s, line, &list[i], &line->models[i], &passes[i]);
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        if (exclusive)
            look_at_piece_outputs(s, line, passes, count, k, only);
        add_piece_term(s, line, passes, count, k);
        if (!exclusive)
            look_at_piece_outputs(s, line, passes, count, k, only);
    }
    for (unsigned i = 0; i < count; i++) {
        line->models[i].last = passes[i].scan.last;
        line->models[i].at_seam = passes[i].scan.at_seam;
    }
}

/* ---- the end ---- */

/* What a line says under one arithmetic. */
typedef struct doubt_said {
    const doubt_model *model;
    doubt_of_line found;
    unsigned place;
} doubt_said;

static doubt_said say_of_model(const doubt_model *m, cumsum_verdict model, uint64_t length) {
    doubt_said said = {.model = m, .place = 0};
    const uint64_t seam = cumsum_doubt_seam(&m->evidence.jumps);
    const bool regular = seam || cumsum_doubt_seam(&m->jumps);
    said.found =
        cumsum_doubt_conclude(&m->evidence, model, seam, regular ? DOUBT_SEAM_JUMP : DOUBT_JUMP,
                              &m->last, length, &said.place);
    return said;
}

/* The weakest that one of the models says that fit every output. */
static doubt_said say_of_line(const judge_state *s, const doubt_between *line, uint64_t length) {
    doubt_arithmetic all[DOUBT_MOST_ARITHMETICS], list[DOUBT_MOST_ARITHMETICS];
    const uint32_t models = s->judgement->models;
    const unsigned count = cumsum_doubt_arithmetics(s, models ? models : s->how.allowed, list);
    doubt_said weakest = {.place = 0};
    const unsigned most = arithmetics_of_all(s, all);
    for (unsigned i = 0; i < count; i++) {
        const doubt_said said = say_of_model(
            &line->models[cumsum_doubt_place_of(all, most, &list[i])], list[i].model, length);
        if (i == 0 || cumsum_doubt_is_weaker(&said.found.shown, &weakest.found.shown))
            weakest = said;
    }
    return weakest;
}

/* Moves the counts of the outputs that are doubtful. */
static void move_marked(judge_state *s, doubt_said *said) {
    cumsum_doubt *shown = &said->found.shown;
    const unsigned thresholds = said->found.doubted_jump > DOUBT_JUMP ? 1 : DOUBT_THRESHOLDS;
    for (unsigned i = 0; i < thresholds; i++)
        for (int v = 0; v < CUMSUM_VERDICT_INDETERMINATE; v++) {
            const uint64_t moved = said->model->marked[i][v];
            s->judgement->counts[v] -= moved;
            s->judgement->counts[CUMSUM_VERDICT_DOUBTFUL] += moved;
            shown->outputs += moved;
        }
    shown->lines = 1;
}

bool cumsum_doubt_end(judge_state *s) {
    bool any = false;
    const uint64_t length = s->offset;
    s->offset = 0; /* of the places */
    for (uint64_t i = 0; i < s->problem.lines; i++) {
        const doubt_between *line = s->between[i].doubt;
        doubt_said said = say_of_line(s, line, length);
        if ((!said.found.shown.reason && !said.found.shown.seam) || line->sequential)
            continue;
        if (said.found.shown.reason)
            move_marked(s, &said);
        cumsum_doubt *kept = &s->judgement->doubt;
        if (!cumsum_doubt_keep(kept, &said.found.shown))
            continue;
        any = true;
        s->line = i;
        s->shown_index = cumsum_judge_place(s, said.found.position, kept->coordinates);
        s->shown = said.model->findings[said.place];
        memcpy(s->shown.coordinates, kept->coordinates, sizeof kept->coordinates);
        s->shown.ulps =
            cumsum_ulp_distance(s->problem.type, s->shown.expected_bits, s->shown.actual_bits);
    }
    return any;
}
