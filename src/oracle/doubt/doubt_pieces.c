/* SPDX-License-Identifier: MIT */
/*
 * Doubt in lines that come in pieces: docs/oracle.md, "Doubt in pieces". The rules are those of
 * doubt_line.c, but for what needs the terms before the piece, of which there are two things:
 *
 * - whether a chunk explains a jump. A bound takes the place of the chunk's rounding error:
 *   DOUBT_DRIFTS times the difference of the greatest and the least error so far of the line's sum,
 *   in sequence or in lanes. The bound of lanes is also subtracted from the errors of outputs,
 *   since a carry may have such an error.
 * - whether a named order gives the line. The sequential ones are followed. Others have errors that
 *   no rule doubts: docs/oracle.md.
 *
 * Invariant: what is known of a line has a bounded size, and depends on the line alone, however it
 * is cut.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doubt_line.h"
#include "judge_output.h"
#include "judge_steps.h"

/* Two halves of a chunk may each lose as much as the line, with a margin of two. */
#define DOUBT_DRIFTS 4.0

/* Thresholds that a jump may have to exceed: DOUBT_SEAM_JUMP, or DOUBT_JUMP. */
enum {
    DOUBT_THRESHOLDS = 2
};

/* Lanes that are followed: term k is added to the one of number k mod 8. */
enum {
    DOUBT_LANES = 8
};

/* A line under one arithmetic. */
typedef struct doubt_model {
    doubt_scan scan; /* first, so that its explain finds the rest */
    double sum;      /* of the terms so far, in sequence */
    bool differs;    /* an output is not that, or it need not be followed */
    double lanes[DOUBT_LANES];
    sum_range drift;                       /* of the errors of the sums in sequence */
    sum_range lane_drift;                  /* of the errors of all lanes' sums, after each row */
    cumsum_finding findings[DOUBT_PLACES]; /* without coordinates */
    doubt_jumps jumps;                     /* those that a chunk may explain included */
    /* Outputs that are suspect, by what verdict 1 said of them: above 256, and above 16 only. */
    uint64_t marked[DOUBT_THRESHOLDS][CUMSUM_VERDICT_MAY_OVERFLOW];
} doubt_model;

/* A line between two pieces. */
typedef struct doubt_between {
    line_progress terms;
    unsigned count; /* arithmetics */
    doubt_model models[];
} doubt_between;

/* ---- sums ---- */

/* What a sequential sum and one in lanes have lost so far. Lanes count where they are larger than
 * R, that is, than sums of neighbours. The term has this number in its line. */
static void add_to_model(doubt_model *m, const line_progress *t, uint64_t number, double term) {
    double *lane = &m->lanes[number % DOUBT_LANES], all = 0, size = 0;
    m->sum = arithmetic_add(m->sum, term, &m->scan.how.sums);
    range_widen(&m->drift, doubt_error(&t->sum, m->sum));
    *lane = arithmetic_add(*lane, term, &m->scan.how.sums);
    if (number % DOUBT_LANES < DOUBT_LANES - 1)
        return;
    for (unsigned i = 0; i < DOUBT_LANES; i++) {
        all += m->lanes[i];
        size += fabs(m->lanes[i]);
    }
    if (!(size > DOUBT_LANES * range_size(&t->range)) || isinf(size)) /* a lane may overflow */
        return;
    const double error = doubt_error(&t->sum, all), rounding = m->scan.how.unit * size / 2;
    range_widen(&m->lane_drift, error - rounding);
    range_widen(&m->lane_drift, error + rounding);
}

/* ---- outputs ---- */

/* Which outputs are suspect: 0: above either threshold; 1: above DOUBT_JUMP; 2: not. */
static unsigned threshold_of(const doubt_output *o) {
    return !o->is_sum || o->is_unknown ? 0
           : o->jump > DOUBT_SEAM_JUMP ? 0
           : o->jump > DOUBT_JUMP      ? 1
                                       : DOUBT_THRESHOLDS;
}

/* A chunk that began at the last seam may have lost as much as sums of all terms so far. */
static void explain_by_bound(doubt_scan *d, uint64_t position, doubt_output *o) {
    doubt_model *m = (doubt_model *)d;
    const double drift = fmax(DOUBT_DRIFTS * range_size(&m->drift), d->lost);
    if (!(o->jump > DOUBT_JUMP))
        return;
    cumsum_doubt_count_jump(&m->jumps, d->s->offset + position);
    if (doubt_least_jump(o->errors, d->at_seam) <= drift + DOUBT_SEAM_REST * o->unit)
        o->jump = 0;
}

static void look_at_piece_output(judge_state *s, doubt_model *m, uint64_t position,
                                 cumsum_verdict only) {
    unsigned kept;
    m->scan.lost = DOUBT_DRIFTS * range_size(&m->lane_drift);
    m->differs = m->differs || !doubt_is_stored_sum(s, &m->scan.how, position, m->sum);
    const doubt_output o = cumsum_doubt_next(&m->scan, position, &kept);
    const unsigned threshold = threshold_of(&o);
    cumsum_finding finding = {.verdict = only};
    if (!kept && threshold == DOUBT_THRESHOLDS)
        return;
    if (kept || only == CUMSUM_VERDICT_COUNT)
        cumsum_judge_by_rule(s, position, &finding);
    if (threshold < DOUBT_THRESHOLDS && finding.verdict < CUMSUM_VERDICT_MAY_OVERFLOW)
        m->marked[threshold][finding.verdict]++;
    for (unsigned i = 0; i < DOUBT_PLACES; i++)
        if (kept >> i & 1)
            m->findings[i] = finding;
}

/* The line of no terms. A device that flushes subnormals returns none; whether the line has one is
 * not known before its end. So flushing explains errors wherever subnormals are kept as well. */
static void begin_doubt(const judge_state *s, doubt_between *line, const doubt_arithmetic *list,
                        unsigned count) {
    begin_progress(&line->terms);
    line->count = count;
    for (unsigned i = 0; i < count; i++) {
        line->models[i].scan = (doubt_scan){.s = s,
                                            .how = list[i],
                                            .f = judge_format(s),
                                            .may_flush = doubt_may_flush(s),
                                            .terms = &line->terms,
                                            .explain = explain_by_bound};
        line->models[i].differs = !doubt_follows_sequence(&list[i]);
    }
}

void *cumsum_doubt_begin_lines(judge_state *s) {
    doubt_arithmetic list[DOUBT_MOST_ARITHMETICS];
    const unsigned count = cumsum_doubt_arithmetics(s, s->how.allowed, list);
    const size_t size = sizeof(doubt_between) + count * sizeof(doubt_model);
    unsigned char *lines = calloc((size_t)s->problem.lines, size);
    for (uint64_t i = 0; lines && i < s->problem.lines; i++) {
        s->between[i].doubt = (doubt_between *)(void *)(lines + i * size);
        begin_doubt(s, s->between[i].doubt, list, count);
    }
    return lines;
}

static void add_piece_term(const judge_state *s, doubt_between *line, uint64_t position) {
    const binary_format *f = judge_format(s);
    const uint64_t bits = judge_term(s, position), number = s->offset + position;
    doubt_add_term(&line->terms, f, bits);
    for (unsigned i = 0; i < line->count; i++)
        add_to_model(&line->models[i], &line->terms, number, format_value(f, bits));
}

void cumsum_doubt_piece(judge_state *s, doubt_between *line, cumsum_verdict only) {
    const bool exclusive = s->problem.exclusive;
    cumsum_judge_renew_sums(s, &line->terms.sum);
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        if (!exclusive)
            add_piece_term(s, line, k);
        for (unsigned i = 0; i < line->count; i++)
            look_at_piece_output(s, &line->models[i], k, only);
        if (exclusive)
            add_piece_term(s, line, k);
    }
}

/* ---- the end ---- */

/* What a line says under one arithmetic. */
typedef struct doubt_said {
    const doubt_model *model;
    doubt_of_line found;
} doubt_said;

/* The weakest that one of the models says that fit every output, of equals the first one. */
static doubt_said say_of_line(const judge_state *s, const doubt_between *line, uint64_t length) {
    const uint32_t models = s->judgement->models, fitting = models ? models : s->how.allowed;
    doubt_said weakest = {.model = NULL};
    for (unsigned i = 0; i < line->count; i++) {
        const doubt_model *m = &line->models[i];
        doubt_said said = {.model = m};
        if (!(m->scan.how.models & fitting))
            continue;
        if (m->differs)
            said.found = cumsum_doubt_conclude(&m->scan, cumsum_doubt_seam(&m->jumps) != 0, length);
        cumsum_doubt *a = &said.found.shown, *b = &weakest.found.shown;
        a->model = a->terms ? rule_first_model(m->scan.how.models & fitting) : a->model;
        const int stronger = doubt_strength(a) - doubt_strength(b);
        if (!weakest.model || stronger < 0 || (stronger == 0 && a->model < b->model))
            weakest = said;
    }
    return weakest;
}

/* Moves the counts of the outputs that are suspect. */
static void move_marked(judge_state *s, doubt_said *said) {
    cumsum_doubt *shown = &said->found.shown;
    const unsigned thresholds = said->found.doubted_jump > DOUBT_JUMP ? 1 : DOUBT_THRESHOLDS;
    for (unsigned i = 0; i < thresholds; i++)
        for (int v = 0; v < CUMSUM_VERDICT_MAY_OVERFLOW; v++) {
            const uint64_t moved = said->model->marked[i][v];
            s->judgement->counts[v] -= moved;
            s->judgement->counts[CUMSUM_VERDICT_SUSPECT] += moved;
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
        if (!doubt_strength(&said.found.shown) || s->between[i].sequential)
            continue;
        if (said.found.shown.reason)
            move_marked(s, &said);
        cumsum_doubt *kept = &s->judgement->doubt;
        if (!cumsum_doubt_keep(kept, &said.found.shown))
            continue;
        any = true;
        s->line = i;
        s->shown_index = cumsum_judge_place(s, said.found.position, kept->coordinates);
        s->shown = said.model->findings[said.found.place];
        memcpy(s->shown.coordinates, kept->coordinates, sizeof kept->coordinates);
        s->shown.ulps =
            cumsum_ulp_distance(s->problem.type, s->shown.expected_bits, s->shown.actual_bits);
    }
    return any;
}
