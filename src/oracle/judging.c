/* SPDX-License-Identifier: MIT */
/*
 * Verdicts in pieces (cumsum/judging.h): the stream of judge_stream.c, with memory for each line
 * between two pieces.
 */
#include <cumsum/judging.h>

#include <stdlib.h>
#include <string.h>

#include "diagnose.h"
#include "doubt_line.h"
#include "fp_environment.h"
#include "judge_steps.h"
#include "validate.h"

struct cumsum_judging {
    judge_state state;          /* its problem is that of the last piece */
    cumsum_judgement judgement; /* of the state */
    cumsum_profile profile;     /* the caller's */
    cumsum_problem problem;     /* of the desc that it began with */
    void *doubts;               /* of the lines; NULL if doubt is not looked for */
};

/* Options that look at a line as a whole. */
static cumsum_status check_options(const cumsum_judge_options *o, cumsum_diagnostic *diagnostic) {
    static const char whole_lines[] = "it needs whole lines, which pieces are not";
    const struct {
        const char *name;
        bool wanted;
    } wants[] = {{"composed_orders", o->composed_orders},
                 {"composed", o->composed != NULL},
                 {"near_order", o->near_order},
                 {"power", o->power || o->power_if_suspect}};
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++)
        if (wants[i].wanted)
            return cumsum_diagnose_unsupported(diagnostic, wants[i].name, 1, "wanted", whole_lines);
    return cumsum_validate_numerics(&o->numerics, CUMSUM_NUMERICS_JUDGED, diagnostic);
}

static cumsum_status check_length(const judge_state *s, cumsum_diagnostic *diagnostic) {
    const uint64_t length = s->whole_length, most = (UINT64_MAX >> 1) / s->problem.lines;
    if (length == 0 || length > CUMSUM_JUDGING_MAX_LENGTH)
        return cumsum_diagnose_number(diagnostic, NULL, "length", length, CUMSUM_JUDGING_MAX_LENGTH,
                                      "must be from 1 to 2^40");
    if (length > most)
        return cumsum_diagnose_number(diagnostic, NULL, "length", length, most,
                                      "must be so that all lines have less than 2^63 elements");
    return CUMSUM_OK;
}

/* The state of a judgement of no pieces. */
static bool begin_state(cumsum_judging *judging) {
    judge_state *s = &judging->state;
    s->judgement = &judging->judgement;
    s->between = calloc((size_t)s->problem.lines, sizeof *s->between);
    if (s->options.reachable && judge_format(s))
        s->how.values = malloc(REACH_ROOM * sizeof *s->how.values);
    if (!s->between || (s->options.reachable && judge_format(s) && !s->how.values))
        return false;
    cumsum_stream_begin(s);
    for (uint64_t i = 0; i < s->problem.lines; i++) {
        begin_progress(&s->between[i].progress);
        s->between[i].sequential = (1u << ORDER_VARIANTS) - 1;
    }
    if (!doubt_is_sought(s))
        return true;
    judging->doubts = cumsum_doubt_begin_lines(s);
    return judging->doubts != NULL;
}

static cumsum_status begin_judging(cumsum_judging *judging, const cumsum_operator_desc *desc,
                                   cumsum_diagnostic *diagnostic) {
    const cumsum_judge_options *options = &judging->state.options;
    cumsum_status status = check_options(options, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_problem_init_judged(&judging->problem, desc, diagnostic);
    judging->state.problem = judging->problem;
    if (status == CUMSUM_OK)
        status = cumsum_profile_check(options->profile, judging->problem.type, options->promised,
                                      diagnostic);
    if (status == CUMSUM_OK)
        status = check_length(&judging->state, diagnostic);
    if (status == CUMSUM_OK && !begin_state(judging))
        status = cumsum_judge_out_of_memory("lines", judging->problem.lines, NULL, diagnostic);
    return status;
}

cumsum_status cumsum_judging_create(const cumsum_operator_desc *desc, uint64_t length,
                                    const cumsum_judge_options *options, cumsum_judging **judging,
                                    cumsum_diagnostic *diagnostic) {
    if (!judging)
        return cumsum_diagnose_argument(diagnostic, "judging", 0, "NULL", "must be given");
    *judging = NULL;
    cumsum_judging *made = calloc(1, sizeof *made);
    if (!made)
        return cumsum_judge_out_of_memory("lines", 0, NULL, diagnostic);
    made->state.whole_length = length;
    if (options)
        made->state.options = *options;
    if (made->state.options.profile) {
        made->profile = *made->state.options.profile;
        made->state.options.profile = &made->profile;
    }
    const cumsum_status status = begin_judging(made, desc, diagnostic);
    if (status == CUMSUM_OK)
        *judging = made;
    else
        cumsum_judging_destroy(made);
    return status;
}

void cumsum_judging_destroy(cumsum_judging *judging) {
    if (!judging)
        return;
    free(judging->state.how.values);
    free(judging->state.between);
    free(judging->doubts);
    free(judging);
}

uint64_t cumsum_judging_position(const cumsum_judging *judging) {
    return judging ? judging->state.offset : 0;
}

/* What all pieces have in common. */
static bool is_same_kind(const cumsum_problem *p, const cumsum_problem *piece) {
    bool same = p->type == piece->type && p->rank == piece->rank && p->axis == piece->axis &&
                p->decreasing == piece->decreasing && p->exclusive == piece->exclusive;
    for (uint32_t d = 0; same && d < p->rank; d++)
        same = d == p->axis || p->sizes[d] == piece->sizes[d];
    return same;
}

static cumsum_status check_piece(const cumsum_judging *judging, const cumsum_problem *piece,
                                 uint64_t position, cumsum_diagnostic *diagnostic) {
    const judge_state *s = &judging->state;
    if (!is_same_kind(&judging->problem, piece))
        return cumsum_diagnose_argument(
            diagnostic, "desc", 0, "another one",
            "must have the type, sizes, axis, direction and exclusivity "
            "that the judgement began with");
    if (piece->output_may_overlap)
        return cumsum_diagnose_unsupported(diagnostic, "Strides", 0, "a shared address",
                                           "elements of the output may share addresses");
    if (position != s->offset)
        return cumsum_diagnose_number(diagnostic, NULL, "position", position, s->offset,
                                      "must be where the pieces before end");
    if (piece->line_length > s->whole_length - s->offset)
        return cumsum_diagnose_number(diagnostic, NULL, "Sizes", piece->line_length,
                                      s->whole_length - s->offset,
                                      "must not exceed what is left of the lines");
    return CUMSUM_OK;
}

/* Checks a piece, and makes it the current one. */
static cumsum_status accept_piece(cumsum_judging *judging, const cumsum_operator_desc *desc,
                                  uint64_t position, const void *input, uint64_t input_in_bytes,
                                  const void *actual, uint64_t actual_in_bytes,
                                  cumsum_diagnostic *diagnostic) {
    judge_state next = {.input = input, .actual = actual};
    cumsum_status status = cumsum_problem_init_judged(&next.problem, desc, diagnostic);
    if (status == CUMSUM_OK)
        status = check_piece(judging, &next.problem, position, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_judge_check_ranges(&next, input_in_bytes, actual_in_bytes, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    judge_state *s = &judging->state;
    s->problem = next.problem;
    s->input = next.input;
    s->actual = next.actual;
    return CUMSUM_OK;
}

cumsum_status cumsum_judging_feed(cumsum_judging *judging, const cumsum_operator_desc *desc,
                                  uint64_t position, const void *input, uint64_t input_in_bytes,
                                  const void *actual, uint64_t actual_in_bytes, uint8_t *verdicts,
                                  cumsum_diagnostic *diagnostic) {
    if (!judging || !input || !actual)
        return cumsum_diagnose_argument(diagnostic,
                                        !judging ? "judging" : (!input ? "input" : "actual"), 0,
                                        "NULL", "must not be a null pointer");
    const cumsum_status status = accept_piece(judging, desc, position, input, input_in_bytes,
                                              actual, actual_in_bytes, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    judge_state *s = &judging->state;
    s->verdicts = verdicts;
    cumsum_stream_prefill(s, s->problem.lines * s->problem.line_length);
    const cumsum_fp_environment found = cumsum_fp_enter();
    cumsum_stream_feed(s, 0, s->problem.lines);
    cumsum_fp_leave(found);
    s->offset += s->problem.line_length;
    return CUMSUM_OK;
}

/* The indices of a row-major number in the whole tensor. */
static void indices_of(const judge_state *s, uint64_t index, uint64_t *indices) {
    const cumsum_problem *p = &s->problem;
    for (uint32_t d = p->rank; d-- > 0;) {
        const uint64_t size = d == p->axis ? s->whole_length : p->sizes[d];
        indices[d] = index % size;
        index /= size;
    }
}

/* The orders that outputs certify by themselves. With a profile the class does not tell whether
 * outputs that fail are S, rounded once. */
static void name_orders(const judge_state *s, cumsum_pieces_judgement *result) {
    cumsum_judgement *j = s->judgement;
    if (s->options.no_orders || !judge_format(s) || judge_is_16_bit(s))
        return;
    uint64_t line = 0;
    while (line < s->problem.lines && (s->between[line].sequential & 1))
        line++;
    const bool rated = !s->options.profile || !j->counts[CUMSUM_VERDICT_FAIL];
    result->tried = 1u << CUMSUM_NAMED_SEQUENTIAL | (uint32_t)rated << CUMSUM_NAMED_EXACT;
    if (line == s->problem.lines)
        j->matches[j->match_count++] = (cumsum_order_match){.order = CUMSUM_NAMED_SEQUENTIAL};
    if (j->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED &&
        (!j->match_count || s->options.all_orders))
        j->matches[j->match_count++] = (cumsum_order_match){.order = CUMSUM_NAMED_EXACT};
}

/* Which outputs are suspect. */
static void doubt_outputs(judge_state *s, cumsum_pieces_judgement *result) {
    cumsum_judgement *j = s->judgement;
    const cumsum_judgement before = *j;
    if (j->counts[CUMSUM_VERDICT_FAIL] || j->match_count || s->offset <= REACH_ALWAYS ||
        !cumsum_doubt_end(s))
        return;
    for (int v = 0; v < CUMSUM_VERDICT_MAY_OVERFLOW; v++)
        result->undoubted[v] = before.counts[v] - j->counts[v];
    indices_of(s, s->shown_index, result->doubt);
    if (j->counts[CUMSUM_VERDICT_SUSPECT])
        j->pass = j->pass && s->options.accept_suspect;
    cumsum_stream_show_suspect(s);
}

cumsum_status cumsum_judging_end(const cumsum_judging *judging, cumsum_pieces_judgement *result,
                                 cumsum_diagnostic *diagnostic) {
    if (!judging || !result)
        return cumsum_diagnose_argument(diagnostic, judging ? "result" : "judging", 0, "NULL",
                                        "must not be a null pointer");
    if (judging->state.offset == 0)
        return cumsum_diagnose_argument(diagnostic, "judging", 0, "empty",
                                        "must have been given a piece");
    judge_state s = judging->state;
    *result = (cumsum_pieces_judgement){.judgement = judging->judgement};
    s.judgement = &result->judgement;
    s.judgement->outputs = s.problem.lines * s.offset;
    cumsum_stream_end(&s);
    name_orders(&s, result);
    if (judging->doubts)
        doubt_outputs(&s, result);
    if (s.severity || judge_format(&s)) {
        indices_of(&s, s.first_index, result->first);
        indices_of(&s, s.worst_index, result->worst);
    }
    return CUMSUM_OK;
}

/* ---- judgements of different lines ---- */

/* Of equals the finding of the lines before stays. */
static bool is_graver(const cumsum_judgement *now, const cumsum_judgement *all, bool worst) {
    const cumsum_finding *a = worst ? &now->worst : &now->first;
    const cumsum_finding *b = worst ? &all->worst : &all->first;
    const int severity = judge_severity(a->verdict), before = judge_severity(b->verdict);
    if (severity != before || all->outputs == 0)
        return severity > before || all->outputs == 0;
    if (severity == 2)
        return now->doubt.reason < all->doubt.reason;
    return severity == 0 ? a->error > b->error : worst && a->ulps > b->ulps;
}

static void add_findings(cumsum_pieces_judgement *all, const cumsum_pieces_judgement *lines) {
    cumsum_judgement *j = &all->judgement;
    const cumsum_judgement *now = &lines->judgement;
    const bool first = is_graver(now, j, false), worst = is_graver(now, j, true);
    if (first) {
        j->first = now->first;
        memcpy(all->first, lines->first, sizeof all->first);
    }
    if (worst) {
        j->worst = now->worst;
        memcpy(all->worst, lines->worst, sizeof all->worst);
    }
}

static void add_doubt(cumsum_pieces_judgement *all, const cumsum_pieces_judgement *lines) {
    if (cumsum_doubt_keep(&all->judgement.doubt, &lines->judgement.doubt))
        memcpy(all->doubt, lines->doubt, sizeof all->doubt);
}

static bool is_named(const cumsum_judgement *j, const cumsum_order_match *match) {
    for (uint32_t i = 0; i < j->match_count; i++)
        if (!memcmp(&j->matches[i], match, sizeof *match))
            return true;
    return false;
}

static void add_orders(cumsum_judgement *all, const cumsum_judgement *now) {
    const cumsum_judgement before = *all;
    all->match_count = 0;
    for (uint32_t i = 0; i < now->match_count; i++)
        if (before.outputs == 0 || is_named(&before, &now->matches[i]))
            all->matches[all->match_count++] = now->matches[i];
}

cumsum_status cumsum_judging_add_lines(cumsum_pieces_judgement *all,
                                       const cumsum_pieces_judgement *lines,
                                       cumsum_diagnostic *diagnostic) {
    if (!all || !lines || all == lines)
        return cumsum_diagnose_argument(diagnostic, all ? "lines" : "all", 0,
                                        all && lines ? "the same" : "NULL",
                                        "must be another judgement");
    cumsum_judgement *j = &all->judgement;
    const cumsum_judgement *now = &lines->judgement;
    const bool none = j->outputs == 0;
    add_findings(all, lines);
    add_doubt(all, lines);
    add_orders(j, now);
    all->tried = none ? lines->tried : all->tried & lines->tried;
    j->pass = now->pass && (none || j->pass);
    j->models = none ? now->models : j->models & now->models;
    j->error_class = now->error_class > j->error_class ? now->error_class : j->error_class;
    j->h = now->h > j->h ? now->h : j->h;
    j->outputs += now->outputs;
    j->overwritten += now->overwritten;
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        j->counts[v] += now->counts[v];
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        all->undoubted[v] += lines->undoubted[v];
    return CUMSUM_OK;
}
