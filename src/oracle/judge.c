/* SPDX-License-Identifier: MIT */
/*
 * cumsum_judge: checks the arguments and runs the steps of a judgement (judge_steps.h), in the
 * order last writers, lines, orders, doubt. docs/oracle.md has the rules.
 *
 * Invariant: between cumsum_fp_enter and cumsum_fp_leave nothing returns, so that the
 * floating-point mode of the caller is always put back.
 */
#include <cumsum/oracle.h>

#include <stddef.h>
#include <stdlib.h>

#include "diagnose.h"
#include "fp_environment.h"
#include "judge_output.h"
#include "judge_steps.h"
#include "profile.h"
#include "screen.h"
#include "sum_line.h"
#include "validate.h"

static bool is_float(const judge_state *s) {
    return judge_format(s) != NULL;
}

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
    if (s->options.profile && is_float(s)) {
        choose_profile(s);
        return;
    }
    switch (s->problem.type) {
    case CUMSUM_DATA_TYPE_FLOAT32:
    case CUMSUM_DATA_TYPE_FLOAT64:
        s->prefill_verdict = CUMSUM_VERDICT_CONFORMANT;
        s->how.allowed = MODELS_FLOAT;
        break;
    case CUMSUM_DATA_TYPE_FLOAT16:
    case CUMSUM_DATA_TYPE_BFLOAT16:
        s->prefill_verdict = CUMSUM_VERDICT_BINARY32_NEAREST;
        s->how.allowed =
            s->problem.type == CUMSUM_DATA_TYPE_FLOAT16 ? MODELS_FLOAT16 : MODELS_BFLOAT16;
        if (s->options.promised) {
            s->prefill_verdict = promised_model(s->problem.type, &s->options.numerics);
            s->how.allowed = MODEL(s->prefill_verdict);
        }
        break;
    default:
        s->prefill_verdict = CUMSUM_VERDICT_EXACT;
        s->how.allowed = 0;
    }
}

/* Fills the array of verdicts with the usual one, so that recording it costs nothing more. */
void cumsum_judge_prepare(judge_state *s) {
    const uint64_t outputs = s->problem.lines * (s->sums ? 1 : s->problem.line_length);
    choose_models(s);
    if (s->verdicts)
        memset(s->verdicts, (int)s->prefill_verdict, (size_t)outputs);
    s->how.strict_zero = s->options.strict_zero;
    s->sequential =
        s->problem.type == CUMSUM_DATA_TYPE_FLOAT32 && !s->slowly && !s->sums && !s->by_profile;
    s->first_index = UINT64_MAX;
    *s->judgement = (cumsum_judgement){.outputs = outputs, .models = s->how.allowed};
}

/* Works out the finding on an output that was counted only. */
static cumsum_finding find_again(judge_state *s, uint64_t line, uint64_t position) {
    cumsum_finding f;
    if (s->sums)
        position = sum_position(s);
    cumsum_judge_start_line(s, line);
    cumsum_judge_by_rule(s, position, &f);
    f.ulps = cumsum_ulp_distance(s->problem.type, f.expected_bits, f.actual_bits);
    cumsum_judge_place(s, position, f.coordinates);
    return f;
}

/* The loops watch for doubt, where there may be any. Shares of lines have bytes of their own. */
static cumsum_status begin_watch(judge_state *s) {
    if (s->slowly || s->sums || s->options.no_doubt || !is_float(s) ||
        s->problem.line_length <= REACH_ALWAYS)
        return CUMSUM_OK;
    s->sure_models = malloc((size_t)s->problem.lines);
    return s->sure_models ? CUMSUM_OK : CUMSUM_OUT_OF_MEMORY;
}

void cumsum_judge_line(judge_state *s, line_progress *progress) {
    if (!is_float(s))
        cumsum_judge_line_integer(s, progress);
    else
        cumsum_judge_line_float(s, progress);
}

static void judge_lines(judge_state *s, uint64_t first, uint64_t end) {
    line_spacing spacing = cumsum_screen_line_spacing(s);
    for (uint64_t line = first; line < end; line++) {
        line_progress progress;
        line += cumsum_screen_lines_accept(s, &spacing, line, end);
        if (line == end)
            break;
        s->accepted_from = line + 1;
        begin_progress(&progress);
        cumsum_judge_start_line(s, line);
        if (s->sums)
            cumsum_judge_sum(s);
        else
            cumsum_judge_line(s, &progress);
        if (s->sure_models)
            s->sure_models[line] = s->sequential ? UINT8_MAX : s->watch.sure;
    }
    if (s->worst_fail_ulps)
        s->judgement->worst = find_again(s, s->worst_fail_line, s->worst_fail_position);
    s->worst_fail_ulps = 0;
}

/* Lines that a thread judges on its own. */
typedef struct judge_share {
    judge_state state;
    cumsum_judgement judgement;
    uint64_t first;
    uint64_t end;
} judge_share;

static void judge_its_lines(void *context, size_t share) {
    judge_share *mine = (judge_share *)context + share;
    judge_lines(&mine->state, mine->first, mine->end);
}

/* Verdicts 1 and 2. */
static cumsum_status judge_tensor(judge_state *s) {
    const uint64_t count = cumsum_judge_shares(s);
    if (count == 1) {
        judge_lines(s, 0, s->problem.lines);
        return CUMSUM_OK;
    }
    judge_share *shares = malloc((size_t)count * sizeof *shares);
    if (!shares)
        return CUMSUM_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < count; i++) {
        judge_share_state(s, i, &shares[i].state);
        shares[i].judgement = *s->judgement;
        shares[i].first = judge_share_first(s, count, i);
        shares[i].end = judge_share_first(s, count, i + 1);
        shares[i].state.judgement = &shares[i].judgement;
    }
    cumsum_judge_in_shares(s, count, judge_its_lines, shares);
    for (uint64_t i = 0; i < count; i++)
        cumsum_judge_append(s, &shares[i].state);
    free(shares);
    return CUMSUM_OK;
}

/* If every output is fine, the first and the worst finding show the one with the largest error. The
 * place is known, and the rest is worked out again: the error exactly. */
static void show_largest_error(judge_state *s) {
    const cumsum_finding f = find_again(s, s->worst_line, s->worst_position);
    s->judgement->first = s->judgement->worst = f;
}

/* If outputs are doubtful, it is the one that the doubt belongs to. */
static void show_doubtful(judge_state *s) {
    cumsum_judgement *j = s->judgement;
    if (j->pass || !j->counts[CUMSUM_VERDICT_DOUBTFUL])
        return;
    show_largest_error(s);
    if (j->first.verdict < CUMSUM_VERDICT_INDETERMINATE)
        j->first.verdict = j->worst.verdict = CUMSUM_VERDICT_DOUBTFUL;
}

/* The verdict on the tensor, from the counts. A tensor with a FAIL or an indeterminate output has
 * no better class. */
void cumsum_judge_classify(judge_state *s) {
    cumsum_judgement *j = s->judgement;
    uint64_t indeterminate = j->counts[CUMSUM_VERDICT_INDETERMINATE];
    uint64_t failed = j->counts[CUMSUM_VERDICT_FAIL];
    j->pass = failed == 0 && !(s->options.strict && indeterminate);
    if (failed)
        j->error_class = CUMSUM_CLASS_FAIL;
    else if (indeterminate)
        j->error_class = CUMSUM_CLASS_INDETERMINATE;
}

static void conclude(judge_state *s) {
    cumsum_judgement *j = s->judgement;
    cumsum_judge_classify(s);
    if (s->severity == 0 && is_float(s) && j->outputs) {
        show_largest_error(s);
        j->h = j->h > 0 ? j->worst.error : 0;
    }
}

static bool asks_for_power(const judge_state *s) {
    const bool doubtful = s->judgement->counts[CUMSUM_VERDICT_DOUBTFUL] != 0;
    return s->options.power || (s->options.power_if_doubtful && doubtful);
}

cumsum_status cumsum_judge_check_profile(const judge_state *s, cumsum_diagnostic *diagnostic) {
    if (!s->options.profile)
        return CUMSUM_OK;
    return cumsum_profile_check(s->options.profile, s->problem.type, s->options.promised,
                                diagnostic);
}

/* Every argument, before anything is written. Options come before the descriptor. */
static cumsum_status check_arguments(judge_state *s, const cumsum_operator_desc *desc,
                                     uint64_t input_in_bytes, uint64_t actual_in_bytes,
                                     cumsum_diagnostic *diagnostic) {
    if (!s->input || !s->actual || !s->judgement)
        return cumsum_diagnose_argument(diagnostic,
                                        !s->input ? "input" : (!s->actual ? "actual" : "judgement"),
                                        0, "NULL", "must not be a null pointer");
    cumsum_status status =
        cumsum_validate_numerics(&s->options.numerics, CUMSUM_NUMERICS_JUDGED, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_problem_init_judged(&s->problem, desc, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_judge_check_profile(s, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_judge_check_ranges(s, input_in_bytes, actual_in_bytes, diagnostic);
    return status;
}

/* The scratch is the array of last writers, a line, or the room for every order; its size is not
 * shown, since any of them may be it. */
static cumsum_status out_of_memory(const judge_state *s, cumsum_diagnostic *diagnostic) {
    cumsum_broken_rule broken = {.status = CUMSUM_OUT_OF_MEMORY,
                                 .field = "scratch of the judgement",
                                 .dimension = -1,
                                 .value = s->problem.line_length,
                                 .value_name = "too large",
                                 .rule = "must fit in memory"};
    return cumsum_diagnose(diagnostic, &broken);
}

/* Scratch that each share has a part of; of staged lines the state itself, too. */
static bool find_scratch(judge_state *s) {
    const size_t shares = (size_t)cumsum_judge_shares(s);
    if (s->options.reachable && is_float(s)) {
        s->how.values = malloc(shares * REACH_ROOM * sizeof *s->how.values);
        if (!s->how.values)
            return false;
    }
    const uint64_t staged = cumsum_stage_plan(s);
    if (staged) {
        s->staged.room = malloc((shares + 1) * (size_t)staged);
        if (!s->staged.room)
            return false;
    }
    if (s->sums && sum_is_gathered(s->sums) && shares) {
        s->gathered = malloc(shares * (size_t)s->problem.line_length * s->problem.element_size);
        return s->gathered != NULL;
    }
    return true;
}

cumsum_status cumsum_judge_run(judge_state *s, cumsum_diagnostic *diagnostic) {
    if (!find_scratch(s)) {
        free(s->how.values);
        free(s->staged.room);
        return out_of_memory(s, diagnostic);
    }
    const cumsum_fp_environment found = cumsum_fp_enter();
    cumsum_judge_prepare(s);
    cumsum_status status = cumsum_judge_find_last_writers(s);
    if (status == CUMSUM_OK)
        status = begin_watch(s);
    if (status == CUMSUM_OK)
        status = judge_tensor(s);
    if (status == CUMSUM_OK)
        conclude(s);
    if (status == CUMSUM_OK && !s->options.no_orders)
        status = cumsum_judge_orders(s);
    if (status == CUMSUM_OK)
        status = cumsum_judge_doubt(s);
    if (status == CUMSUM_OK)
        show_doubtful(s);
    if (status == CUMSUM_OK && asks_for_power(s))
        status = cumsum_judge_power(s);
    cumsum_fp_leave(found);
    free(s->last_writer);
    free(s->sure_models);
    free(s->how.values);
    free(s->gathered);
    free(s->staged.room);
    if (status == CUMSUM_OUT_OF_MEMORY)
        return out_of_memory(s, diagnostic);
    return CUMSUM_OK;
}

static cumsum_status judge(judge_state *s, const cumsum_operator_desc *desc,
                           uint64_t input_in_bytes, uint64_t actual_in_bytes,
                           cumsum_diagnostic *diagnostic) {
    const cumsum_status status =
        check_arguments(s, desc, input_in_bytes, actual_in_bytes, diagnostic);
    return status == CUMSUM_OK ? cumsum_judge_run(s, diagnostic) : status;
}

cumsum_status cumsum_judge(const cumsum_operator_desc *desc, const void *input,
                           uint64_t input_in_bytes, const void *actual, uint64_t actual_in_bytes,
                           const cumsum_judge_options *options, uint8_t *verdicts,
                           cumsum_judgement *judgement, cumsum_diagnostic *diagnostic) {
    judge_state s = {
        .input = input, .actual = actual, .verdicts = verdicts, .judgement = judgement};
    if (options)
        s.options = *options;
    return judge(&s, desc, input_in_bytes, actual_in_bytes, diagnostic);
}

cumsum_status cumsum_judge_slowly(const cumsum_operator_desc *desc, const void *input,
                                  uint64_t input_in_bytes, const void *actual,
                                  uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                  uint8_t *verdicts, cumsum_judgement *judgement,
                                  cumsum_diagnostic *diagnostic) {
    judge_state s = {.input = input,
                     .actual = actual,
                     .verdicts = verdicts,
                     .judgement = judgement,
                     .slowly = true};
    if (options)
        s.options = *options;
    return judge(&s, desc, input_in_bytes, actual_in_bytes, diagnostic);
}
