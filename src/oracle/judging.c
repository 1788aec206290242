/* SPDX-License-Identifier: MIT */
/*
 * Verdicts in pieces (cumsum/judging.h). The loops over lines are those of cumsum_judge without its
 * fast paths, which change no verdict (judge_steps.h). Each line keeps what its
 * loop and the exact rule know, from one piece to the next.
 *
 * Invariant: a piece is read while it is being fed and never again. So the exact prefix of each
 * line ends where the piece does, and the finding on the output with the largest error is worked
 * out before the piece is gone.
 */
#include <cumsum/judging.h>

#include <stdlib.h>
#include <string.h>

#include "diagnose.h"
#include "doubt_pieces.h"
#include "fp_environment.h"
#include "judge_output.h"
#include "judge_steps.h"
#include "validate.h"

/* A line between two pieces. */
typedef struct line_between {
    line_progress progress;
    exact_prefix exact;
    uint64_t last_term; /* the bits of the last element and output */
    uint64_t last_output;
} line_between;

struct cumsum_judging {
    judge_state state;          /* its problem is that of the last piece */
    cumsum_judgement judgement; /* of the state */
    cumsum_profile profile;     /* the caller's */
    cumsum_problem problem;     /* of the desc that it began with */
    uint64_t length;            /* of the whole lines */
    uint64_t position;
    bool sequential;        /* FLOAT32, FLOAT64: no output differs from that order so far */
    cumsum_finding largest; /* the output with the largest error so far */
    uint64_t largest_index;
    line_between *lines;
    void *doubts; /* a doubt_between for each line; NULL if doubt is not looked for */
};

static cumsum_status no_memory(uint64_t lines, cumsum_diagnostic *diagnostic) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_OUT_OF_MEMORY,
                                                             .field = "lines",
                                                             .dimension = -1,
                                                             .value = lines,
                                                             .rule = "must fit in memory"});
}

/* Options that look at a line as a whole. */
static cumsum_status check_options(const cumsum_judge_options *o, cumsum_diagnostic *diagnostic) {
    static const char whole_lines[] = "it needs whole lines, which pieces are not";
    const struct {
        const char *name;
        bool wanted;
    } wants[] = {{"composed_orders", o->composed_orders},
                 {"composed", o->composed != NULL},
                 {"near_order", o->near_order},
                 {"power", o->power || o->power_if_doubtful}};
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++)
        if (wants[i].wanted)
            return cumsum_diagnose_unsupported(diagnostic, wants[i].name, 1, "wanted", whole_lines);
    return cumsum_validate_numerics(&o->numerics, CUMSUM_NUMERICS_JUDGED, diagnostic);
}

static cumsum_status check_length(const cumsum_judging *judging, cumsum_diagnostic *diagnostic) {
    const uint64_t most = (UINT64_MAX >> 1) / judging->problem.lines;
    if (judging->length == 0 || judging->length > CUMSUM_JUDGING_MAX_LENGTH)
        return cumsum_diagnose_number(diagnostic, NULL, "length", judging->length,
                                      CUMSUM_JUDGING_MAX_LENGTH, "must be from 1 to 2^40");
    if (judging->length > most)
        return cumsum_diagnose_number(diagnostic, NULL, "length", judging->length, most,
                                      "must be so that all lines have less than 2^63 elements");
    return CUMSUM_OK;
}

/* Lines of no terms, if doubt is looked for. */
static bool begin_doubts(cumsum_judging *judging) {
    const judge_state *s = &judging->state;
    if (!cumsum_doubt_has_pieces(s))
        return true;
    judging->doubts = calloc((size_t)s->problem.lines, cumsum_doubt_between_size(s));
    for (uint64_t i = 0; judging->doubts && i < s->problem.lines; i++)
        cumsum_doubt_begin_line(s, cumsum_doubt_line_of(s, judging->doubts, i));
    return judging->doubts != NULL;
}

/* The state of a judgement of no pieces. */
static bool begin_state(cumsum_judging *judging) {
    judge_state *s = &judging->state;
    const uint64_t lines = judging->problem.lines;
    s->problem = judging->problem;
    s->judgement = &judging->judgement;
    s->slowly = true;
    s->whole_length = judging->length;
    judging->lines = calloc((size_t)lines, sizeof *judging->lines);
    if (s->options.reachable && judge_format(s))
        s->how.values = malloc(REACH_ROOM * sizeof *s->how.values);
    if (!judging->lines || (s->options.reachable && judge_format(s) && !s->how.values))
        return false;
    cumsum_judge_prepare(s);
    judging->sequential = judge_format(s) && !judge_is_16_bit(s);
    for (uint64_t i = 0; i < lines; i++)
        begin_progress(&judging->lines[i].progress);
    return begin_doubts(judging);
}

static cumsum_status begin_judging(cumsum_judging *judging, const cumsum_operator_desc *desc,
                                   cumsum_diagnostic *diagnostic) {
    cumsum_status status = check_options(&judging->state.options, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_problem_init_judged(&judging->problem, desc, diagnostic);
    judging->state.problem = judging->problem;
    if (status == CUMSUM_OK)
        status = cumsum_judge_check_profile(&judging->state, diagnostic);
    if (status == CUMSUM_OK)
        status = check_length(judging, diagnostic);
    if (status == CUMSUM_OK && !begin_state(judging))
        status = no_memory(judging->problem.lines, diagnostic);
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
        return no_memory(0, diagnostic);
    made->length = length;
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
    free(judging->lines);
    free(judging->doubts);
    free(judging);
}

uint64_t cumsum_judging_position(const cumsum_judging *judging) {
    return judging ? judging->position : 0;
}

/* FLOAT32 and FLOAT64: is an output the one before it plus its term? As in order_line.c. */
static bool is_next(const judge_state *s, uint64_t before, uint64_t term, uint64_t y) {
    const binary_format *f = judge_format(s);
    const uint64_t expected = format_bits(f, format_value(f, before) + format_value(f, term));
    const bool zeros = !s->options.strict_zero && ((y | expected) & ~f->sign) == 0;
    return zeros || cumsum_same_bits(s->problem.type, y, expected);
}

/* Is each output of the current piece the one before it plus its term? */
static bool continues_in_sequence(const judge_state *s, const line_between *line) {
    const bool exclusive = s->problem.exclusive;
    uint64_t before = line->last_output;
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        const uint64_t term = !exclusive ? judge_term(s, k)
                              : k > 0    ? judge_term(s, k - 1)
                                         : line->last_term;
        const uint64_t y = judge_actual(s, k);
        if (!is_next(s, before, term, y))
            return false;
        before = y;
    }
    return true;
}

/* Works out the finding on an output of the current line, whose exact prefix ends where the piece
 * begins. */
static void find_largest(cumsum_judging *judging, uint64_t position) {
    judge_state *s = &judging->state;
    cumsum_finding *f = &judging->largest;
    cumsum_judge_by_rule(s, position, f);
    f->ulps = cumsum_ulp_distance(s->problem.type, f->expected_bits, f->actual_bits);
    judging->largest_index = cumsum_judge_place(s, position, f->coordinates);
}

/* The verdict of all outputs since these were the counts; CUMSUM_VERDICT_COUNT if they have
 * several. */
static cumsum_verdict only_verdict_since(const judge_state *s, const cumsum_judgement *before) {
    cumsum_verdict only = CUMSUM_VERDICT_COUNT;
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++) {
        if (s->judgement->counts[v] == before->counts[v])
            continue;
        if (only != CUMSUM_VERDICT_COUNT)
            return CUMSUM_VERDICT_COUNT;
        only = (cumsum_verdict)v;
    }
    return only;
}

/* Moves the sums of the current line behind the piece, once the loop over its outputs has. Of a
 * tensor with an output that fails no doubt is looked for. */
static void finish_float_piece(cumsum_judging *judging, line_between *line, cumsum_verdict only) {
    judge_state *s = &judging->state;
    s->slowly = false; /* the exact prefix is the same */
    s->exact = line->exact;
    if (judging->doubts && !s->judgement->counts[CUMSUM_VERDICT_FAIL])
        cumsum_doubt_piece(s, cumsum_doubt_line_of(s, judging->doubts, s->line), only);
    cumsum_judge_catch_up(s, s->problem.line_length - 1 + s->problem.exclusive);
    s->slowly = true;
    line->exact = s->exact;
}

/* A piece of a line of floats: the loop, then what only memory of the piece can tell. */
static void judge_float_piece(cumsum_judging *judging, line_between *line) {
    judge_state *s = &judging->state;
    const cumsum_judgement before = *s->judgement;
    s->exact = line->exact;
    s->worst_position = UINT64_MAX;
    cumsum_judge_renew_sums(s, &line->progress.sum);
    judging->sequential = judging->sequential && continues_in_sequence(s, line);
    cumsum_judge_line(s, &line->progress);
    const bool begins = s->offset == 0 && s->line == 0; /* shown if no output has an error */
    if (s->worst_position != UINT64_MAX || begins) {
        s->exact = line->exact;
        find_largest(judging, s->worst_position != UINT64_MAX ? s->worst_position : 0);
    }
    finish_float_piece(judging, line, only_verdict_since(s, &before));
}

/* All lines of a piece. */
static void judge_piece(cumsum_judging *judging) {
    judge_state *s = &judging->state;
    const uint64_t last = s->problem.line_length - 1;
    for (uint64_t i = 0; i < s->problem.lines; i++) {
        line_between *line = &judging->lines[i];
        cumsum_judge_start_line(s, i);
        if (judge_format(s))
            judge_float_piece(judging, line);
        else
            cumsum_judge_line(s, &line->progress);
        line->last_term = judge_term(s, last);
        line->last_output = judge_actual(s, last);
    }
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
    if (!is_same_kind(&judging->problem, piece))
        return cumsum_diagnose_argument(
            diagnostic, "desc", 0, "another one",
            "must have the type, sizes, axis, direction and exclusivity "
            "that the judgement began with");
    if (piece->output_may_overlap)
        return cumsum_diagnose_unsupported(diagnostic, "Strides", 0, "a shared address",
                                           "elements of the output may share addresses");
    if (position != judging->position)
        return cumsum_diagnose_number(diagnostic, NULL, "position", position, judging->position,
                                      "must be where the pieces before end");
    if (piece->line_length > judging->length - judging->position)
        return cumsum_diagnose_number(diagnostic, NULL, "Sizes", piece->line_length,
                                      judging->length - judging->position,
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
    s->offset = judging->position;
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
    if (verdicts)
        memset(verdicts, (int)s->prefill_verdict,
               (size_t)(s->problem.lines * s->problem.line_length));
    const cumsum_fp_environment found = cumsum_fp_enter();
    judge_piece(judging);
    cumsum_fp_leave(found);
    judging->position += s->problem.line_length;
    return CUMSUM_OK;
}

/* The indices of a row-major number in the whole tensor. */
static void indices_of(const cumsum_judging *judging, uint64_t index, uint64_t *indices) {
    const cumsum_problem *p = &judging->problem;
    for (uint32_t d = p->rank; d-- > 0;) {
        const uint64_t size = d == p->axis ? judging->length : p->sizes[d];
        indices[d] = index % size;
        index /= size;
    }
}

/* The orders that outputs certify by themselves. */
static void name_orders(const cumsum_judging *judging, cumsum_pieces_judgement *result) {
    cumsum_judgement *j = &result->judgement;
    const judge_state *s = &judging->state;
    if (s->options.no_orders || !judge_format(s) || judge_is_16_bit(s))
        return;
    result->tried = 1u << CUMSUM_NAMED_SEQUENTIAL | 1u << CUMSUM_NAMED_EXACT;
    if (judging->sequential)
        j->matches[j->match_count++] = (cumsum_order_match){.order = CUMSUM_NAMED_SEQUENTIAL};
    if (j->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED &&
        (!j->match_count || s->options.all_orders))
        j->matches[j->match_count++] = (cumsum_order_match){.order = CUMSUM_NAMED_EXACT};
}

/* Which outputs are doubtful. */
static void doubt_outputs(const cumsum_judging *judging, judge_state *s,
                          cumsum_pieces_judgement *result) {
    cumsum_judgement *j = &result->judgement;
    const cumsum_judgement before = *j;
    cumsum_finding found;
    if (!judging->doubts || j->counts[CUMSUM_VERDICT_FAIL] || j->match_count ||
        judging->position <= REACH_ALWAYS ||
        !cumsum_doubt_end(s, judging->doubts, judging->position, &found))
        return;
    for (int v = 0; v < CUMSUM_VERDICT_INDETERMINATE; v++)
        result->undoubted[v] = before.counts[v] - j->counts[v];
    s->line = s->worst_line;
    s->offset = 0;
    indices_of(judging, cumsum_judge_place(s, s->worst_position, j->doubt.coordinates),
               result->doubt);
    if (!j->counts[CUMSUM_VERDICT_DOUBTFUL])
        return;
    j->pass = j->pass && s->options.accept_doubtful;
    if (j->pass)
        return;
    if (found.verdict < CUMSUM_VERDICT_INDETERMINATE)
        found.verdict = CUMSUM_VERDICT_DOUBTFUL;
    found.ulps = cumsum_ulp_distance(s->problem.type, found.expected_bits, found.actual_bits);
    memcpy(found.coordinates, j->doubt.coordinates, sizeof found.coordinates);
    j->first = j->worst = found;
    memcpy(result->first, result->doubt, sizeof result->first);
    memcpy(result->worst, result->doubt, sizeof result->worst);
}

cumsum_status cumsum_judging_end(const cumsum_judging *judging, cumsum_pieces_judgement *result,
                                 cumsum_diagnostic *diagnostic) {
    if (!judging || !result)
        return cumsum_diagnose_argument(diagnostic, judging ? "result" : "judging", 0, "NULL",
                                        "must not be a null pointer");
    if (judging->position == 0)
        return cumsum_diagnose_argument(diagnostic, "judging", 0, "empty",
                                        "must have been given a piece");
    judge_state s = judging->state;
    *result = (cumsum_pieces_judgement){.judgement = judging->judgement};
    s.judgement = &result->judgement;
    result->judgement.outputs = judging->problem.lines * judging->position;
    cumsum_judge_classify(&s);
    if (s.severity == 0 && judge_format(&s)) {
        result->judgement.first = result->judgement.worst = judging->largest;
        s.first_index = s.worst_index = judging->largest_index;
    }
    if (s.severity || judge_format(&s)) {
        indices_of(judging, s.first_index, result->first);
        indices_of(judging, s.worst_index, result->worst);
    }
    name_orders(judging, result);
    doubt_outputs(judging, &s, result);
    return CUMSUM_OK;
}
