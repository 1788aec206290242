/* SPDX-License-Identifier: MIT */
/*
 * cumsum_judge: checks the arguments and runs the steps of a judgement (judge_steps.h), in the
 * order last writers, lines (judge_stream.c), orders, doubt. docs/oracle.md has the rules.
 *
 * Invariant: between cumsum_fp_enter and cumsum_fp_leave nothing returns, so that the
 * floating-point mode of the caller is always put back.
 */
#include <cumsum/oracle.h>

#include <stddef.h>
#include <stdlib.h>

#include "diagnose.h"
#include "doubt_line.h"
#include "fp_environment.h"
#include "judge_steps.h"
#include "validate.h"

static void judge_lines(judge_share *mine) {
    cumsum_stream_feed(&mine->state, mine->first, mine->end);
}

static void append_lines(judge_state *s, const judge_share *mine) {
    cumsum_judge_append(s, &mine->state);
}

static bool asks_for_power(const judge_state *s) {
    const bool suspect = s->judgement->counts[CUMSUM_VERDICT_SUSPECT] != 0;
    return s->options.power || (s->options.power_if_suspect && suspect);
}

cumsum_status cumsum_judge_check_call(const judge_state *s, cumsum_diagnostic *diagnostic) {
    if (!s->input || !s->actual || !s->judgement)
        return cumsum_diagnose_argument(diagnostic,
                                        !s->input ? "input" : (!s->actual ? "actual" : "judgement"),
                                        0, "NULL", "must not be a null pointer");
    return cumsum_validate_numerics(&s->options.numerics, CUMSUM_NUMERICS_JUDGED, diagnostic);
}

cumsum_status cumsum_judge_check_tensors(const judge_state *s, uint64_t input_in_bytes,
                                         uint64_t actual_in_bytes, cumsum_diagnostic *diagnostic) {
    const cumsum_status status =
        cumsum_profile_check(s->options.profile, s->problem.type, s->options.promised, diagnostic);
    return status == CUMSUM_OK
               ? cumsum_judge_check_ranges(s, input_in_bytes, actual_in_bytes, diagnostic)
               : status;
}

cumsum_status cumsum_judge_check_arguments(judge_state *s, const cumsum_operator_desc *desc,
                                           uint64_t input_in_bytes, uint64_t actual_in_bytes,
                                           cumsum_diagnostic *diagnostic) {
    cumsum_status status = cumsum_judge_check_call(s, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_problem_init_judged(&s->problem, desc, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_judge_check_tensors(s, input_in_bytes, actual_in_bytes, diagnostic);
    return status;
}

cumsum_status cumsum_judge_out_of_memory(const char *field, uint64_t value, const char *value_name,
                                         cumsum_diagnostic *diagnostic) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_OUT_OF_MEMORY,
                                                             .field = field,
                                                             .dimension = -1,
                                                             .value = value,
                                                             .value_name = value_name,
                                                             .rule = "must fit in memory"});
}

/* Scratch that each share has a part of, or each line a place. */
static bool find_scratch(judge_state *s) {
    const size_t shares = (size_t)cumsum_judge_shares(s);
    if (s->options.reachable && judge_format(s)) {
        s->how.values = malloc(shares * REACH_ROOM * sizeof *s->how.values);
        if (!s->how.values)
            return false;
    }
    cumsum_stage_plan(s);
    if (s->staged.bytes && shares) {
        s->staged.room = malloc(shares * (size_t)s->staged.bytes);
        if (!s->staged.room)
            return false;
    }
    if (!s->slowly && !s->sums && doubt_is_sought(s)) { /* the loops watch for doubt */
        s->sure_models = malloc((size_t)s->problem.lines * sizeof *s->sure_models);
        return s->sure_models != NULL;
    }
    return true;
}

cumsum_status cumsum_judge_run(judge_state *s, cumsum_diagnostic *diagnostic) {
    const cumsum_fp_environment found = cumsum_fp_enter();
    cumsum_stream_begin(s);
    s->out_of_memory = !find_scratch(s);
    if (!s->out_of_memory)
        cumsum_judge_find_last_writers(s);
    if (!s->out_of_memory)
        cumsum_judge_share_lines(s, sizeof(judge_share), judge_lines, append_lines, NULL);
    if (!s->out_of_memory)
        cumsum_stream_end(s);
    if (!s->out_of_memory && !s->options.no_orders)
        cumsum_judge_orders(s);
    if (!s->out_of_memory)
        cumsum_judge_doubt(s);
    if (!s->out_of_memory)
        cumsum_stream_show_suspect(s);
    if (!s->out_of_memory && asks_for_power(s))
        cumsum_judge_power(s);
    cumsum_fp_leave(found);
    free(s->last_writer);
    free(s->sure_models);
    free(s->how.values);
    free(s->staged.room);
    /* The array of last writers, a line, or the room for every order: the size of none is shown. */
    return s->out_of_memory
               ? cumsum_judge_out_of_memory("scratch of the judgement", s->problem.line_length,
                                            "too large", diagnostic)
               : CUMSUM_OK;
}

cumsum_status cumsum_judge_scans(judge_state *s, const cumsum_operator_desc *desc,
                                 uint64_t input_in_bytes, uint64_t actual_in_bytes,
                                 const cumsum_judge_options *options,
                                 cumsum_diagnostic *diagnostic) {
    if (options)
        s->options = *options;
    const cumsum_status status =
        cumsum_judge_check_arguments(s, desc, input_in_bytes, actual_in_bytes, diagnostic);
    return status == CUMSUM_OK ? cumsum_judge_run(s, diagnostic) : status;
}

cumsum_status cumsum_judge(const cumsum_operator_desc *desc, const void *input,
                           uint64_t input_in_bytes, const void *actual, uint64_t actual_in_bytes,
                           const cumsum_judge_options *options, uint8_t *verdicts,
                           cumsum_judgement *judgement, cumsum_diagnostic *diagnostic) {
    judge_state s = {
        .input = input, .actual = actual, .verdicts = verdicts, .judgement = judgement};
    return cumsum_judge_scans(&s, desc, input_in_bytes, actual_in_bytes, options, diagnostic);
}
