/* SPDX-License-Identifier: MIT */
/*
 * The stream of outputs: a judgement begins, is fed its lines, and ends. A line is fed at once, or
 * in pieces, between which the state of the loops is kept (line_between).
 *
 * Invariant: a piece is read while it is being fed and never again. So the exact prefix of each
 * line then ends where the piece does, and the findings on outputs that were counted only are
 * worked out before the piece is gone.
 */
#include <stdlib.h>

#include "doubt_line.h"
#include "judge_output.h"
#include "judge_steps.h"
#include "screen.h"

/* The model that a FLOAT16 or BFLOAT16 device with these numerics implements. The exact order has
 * no accumulator: it rounds once, as the IEEE conversion does, whatever the accumulator and the
 * store are. BFLOAT16's store to nearest even is that conversion. */
static cumsum_verdict promised_model(cumsum_data_type type, const cumsum_numerics *numerics) {
    const bool bfloat16 = type == CUMSUM_DATA_TYPE_BFLOAT16;
    const bool exact = numerics->order == CUMSUM_ORDER_EXACT;
    if (numerics->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16 && !exact)
        return bfloat16 ? CUMSUM_VERDICT_BFLOAT16 : CUMSUM_VERDICT_BINARY16;
    const cumsum_verdict model =
        models_of_stores[exact ? CUMSUM_HALF_STORE_IEEE : numerics->half_store];
    return bfloat16 && model == CUMSUM_VERDICT_BINARY32_IEEE ? CUMSUM_VERDICT_BINARY32_NEAREST
                                                             : model;
}

/* Does the profile accept all that verdict 1 accepts without one, so that the fast paths hold? */
static bool has_fast_paths(const judge_state *s) {
    const arithmetic *profile = &s->profile;
    return profile->accumulator == judge_format(s) && !judge_is_16_bit(s) && !s->slowly &&
           profile->rounding != CUMSUM_ROUNDING_TOWARD_ZERO &&
           profile->flush_inputs != CUMSUM_FLUSH_MUST &&
           profile->flush_results != CUMSUM_FLUSH_MUST && profile->order == CUMSUM_ALLOWED_ANY &&
           !profile->specials_absent;
}

static void choose_profile(judge_state *s) {
    s->profile = cumsum_profile_arithmetic(s->options.profile, judge_format(s));
    s->how.profile = &s->profile;
    s->how.allowed = MODEL(CUMSUM_VERDICT_CONFORMANT);
    s->prefill_verdict = CUMSUM_VERDICT_CONFORMANT;
    s->by_profile = !has_fast_paths(s);
}

/* The models that count, and the verdict that most outputs are going to have. */
static void choose_models(judge_state *s) {
    if (s->options.profile && judge_format(s)) {
        choose_profile(s);
        return;
    }
    const binary_format *f = judge_format(s);
    const rule_rows *table = f ? rule_rows_of(f) : NULL;
    s->how.allowed = 0;
    for (unsigned i = 0; f && i < table->count; i++)
        s->how.allowed |= MODEL(table->rows[i].verdict);
    s->prefill_verdict = f ? table->rows[0].verdict : CUMSUM_VERDICT_EXACT;
    if (f && f->precision < 24 && s->options.promised) {
        s->prefill_verdict = promised_model(s->problem.type, &s->options.numerics);
        s->how.allowed = MODEL(s->prefill_verdict);
    }
}

/* The verdict that most outputs are going to have, so that recording it costs nothing more. */
void cumsum_stream_prefill(const judge_state *s, uint64_t outputs) {
    if (s->verdicts)
        memset(s->verdicts, (int)s->prefill_verdict, (size_t)outputs);
}

void cumsum_stream_begin(judge_state *s) {
    const int precision = judge_format(s) ? judge_format(s)->precision : 0;
    const uint64_t outputs = s->problem.lines * (s->sums ? 1 : s->problem.line_length);
    choose_models(s);
    s->how.strict_zero = s->options.strict_zero;
    s->sequential = precision >= 24 && !s->slowly && !s->sums && !s->between;
    s->shown_later = judge_format(s) != NULL;
    s->first_index = UINT64_MAX;
    if (!s->between)
        s->whole_length = s->problem.line_length;
    cumsum_stream_prefill(s, outputs);
    *s->judgement = (cumsum_judgement){.outputs = outputs, .models = s->how.allowed};
}

/* The finding on an output that was counted only. */
static cumsum_finding find_again(judge_state *s, uint64_t line, uint64_t position) {
    cumsum_finding f;
    if (s->sums)
        position = sum_position(s);
    cumsum_judge_start_line(s, line);
    cumsum_judge_by_rule(s, position, &f);
    f.ulps = cumsum_ulp_distance(s->problem.type, f.expected_bits, f.actual_bits);
    s->found_index = cumsum_judge_place(s, position, f.coordinates);
    return f;
}

/* The worst finding, if it was counted only. */
static void settle_worst(judge_state *s) {
    if (s->worst_fail_ulps) {
        s->judgement->worst = find_again(s, s->worst_fail_line, s->worst_fail_position);
        s->worst_index = s->found_index;
    }
    s->worst_fail_ulps = 0;
}

/* The finding that is shown where no output fails. */
static void settle_shown(judge_state *s) {
    if (s->shown_later) {
        s->shown = find_again(s, s->worst_line, s->worst_position);
        s->shown_index = s->found_index;
    }
    s->shown_later = false;
}

static void judge_outputs(judge_state *s, line_progress *progress) {
    if (judge_format(s))
        cumsum_judge_line_float(s, progress);
    else
        cumsum_judge_line_integer(s, progress);
}

/* The piece of a line of floats, and then what only memory of the piece can tell. Of a tensor with
 * an output that fails no doubt is looked for. */
static void judge_float_piece(judge_state *s, line_between *line) {
    uint64_t before[CUMSUM_VERDICT_COUNT];
    memcpy(before, s->judgement->counts, sizeof before);
    cumsum_judge_renew_sums(s, &line->progress.sum);
    judge_outputs(s, &line->progress);
    settle_worst(s);
    settle_shown(s);
    cumsum_judge_start_line(s, s->line);
    cumsum_judge_follow_orders(s, line);
    if (line->doubt && !s->judgement->counts[CUMSUM_VERDICT_FAIL])
        cumsum_doubt_piece(s, line->doubt, cumsum_judge_only_verdict(s, before));
    cumsum_judge_catch_up(s, s->problem.line_length - 1 + s->problem.exclusive);
    line->exact = s->exact;
}

/* Stored sums of FLOAT32 and FLOAT64 are not watched. */
static bool is_watched(const judge_state *s, const doubt_arithmetic *how) {
    return !how->stored || (how->store != CUMSUM_ROUNDING_EITHER && judge_is_16_bit(s));
}

/* The loop over a line watches for doubt, under the models that fit all outputs so far. */
static void watch_line(judge_state *s) {
    const uint32_t fitting = s->judgement->models, models = fitting ? fitting : s->how.allowed;
    if (s->watched_models != models) {
        s->watched_models = models;
        s->watched_count = cumsum_doubt_arithmetics(s, models, s->watched);
    }
    for (unsigned i = 0; i < s->watched_count; i++)
        s->watch[i] = (doubt_watch){.sure = is_watched(s, &s->watched[i])};
}

/* After the last output of a line: the models under which the line is surely not suspect. */
static uint32_t sure_models(const judge_state *s) {
    uint32_t sure = 0;
    for (unsigned i = 0; i < s->watched_count; i++)
        sure |= s->watch[i].sure ? s->watched[i].models : 0;
    return s->sequential ? UINT16_MAX : sure;
}

static void judge_whole_line(judge_state *s) {
    line_progress progress;
    begin_progress(&progress);
    if (s->sure_models)
        watch_line(s);
    if (s->sums)
        cumsum_judge_sum(s);
    else
        judge_outputs(s, &progress);
    if (s->sure_models)
        s->sure_models[s->line] = (uint16_t)sure_models(s);
}

void cumsum_stream_feed(judge_state *s, uint64_t first, uint64_t end) {
    line_spacing spacing = cumsum_screen_line_spacing(s);
    for (uint64_t line = first; line < end; line++) {
        line += cumsum_screen_lines_accept(s, &spacing, line, end);
        if (line == end)
            break;
        cumsum_judge_start_line(s, line);
        if (!s->between)
            judge_whole_line(s);
        else if (judge_format(s))
            judge_float_piece(s, &s->between[line]);
        else
            judge_outputs(s, &s->between[line].progress);
    }
    settle_worst(s);
}

/* The verdict on the tensor, from the counts. A tensor with a FAIL or an output that may overflow
 * has no better class. */
static void classify(judge_state *s) {
    cumsum_judgement *j = s->judgement;
    const uint64_t undecided = j->counts[CUMSUM_VERDICT_MAY_OVERFLOW];
    const uint64_t failed = j->counts[CUMSUM_VERDICT_FAIL];
    j->pass = failed == 0 && !(s->options.strict && undecided);
    if (failed)
        j->error_class = CUMSUM_CLASS_FAIL;
    else if (undecided)
        j->error_class = CUMSUM_CLASS_MAY_OVERFLOW;
}

/* The first and the worst finding are the one that is shown. */
static void show_finding(judge_state *s) {
    settle_shown(s);
    s->judgement->first = s->judgement->worst = s->shown;
    s->first_index = s->worst_index = s->shown_index;
}

void cumsum_stream_end(judge_state *s) {
    cumsum_judgement *j = s->judgement;
    classify(s);
    if (s->severity || !judge_format(s) || !j->outputs)
        return;
    show_finding(s);
    j->h = j->h > 0 ? j->worst.error : 0;
}

void cumsum_stream_show_suspect(judge_state *s) {
    cumsum_judgement *j = s->judgement;
    if (j->pass || !j->counts[CUMSUM_VERDICT_SUSPECT])
        return;
    show_finding(s);
    if (j->first.verdict < CUMSUM_VERDICT_MAY_OVERFLOW)
        j->first.verdict = j->worst.verdict = CUMSUM_VERDICT_SUSPECT;
}
