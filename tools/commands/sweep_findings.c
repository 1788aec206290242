/* SPDX-License-Identifier: MIT */
#include "sweep_findings.h"

#include <stdlib.h>

#include "failure_profile.h"
#include "json_make.h"
#include "report_fields.h"
#include "show_judgement.h"
#include "text.h"

/* By the rule of the case's own accumulator and store, in any order of additions. */
static cumsum_status judge(const suite_case *c, const unsigned char *input,
                           cumsum_judgement *judgement, cumsum_diagnostic *why) {
    const case_spec *spec = &c->spec;
    cumsum_judge_options options = {.promised = true, .numerics = spec->numerics};
    if (spec->numerics.order == CUMSUM_ORDER_EXACT) { /* rounds as IEEE does, from the sum */
        options.numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT32;
        options.numerics.half_store = CUMSUM_HALF_STORE_IEEE;
    }
    return cumsum_judge(&c->descriptor.desc, input + spec->input.offset,
                        c->input_size - spec->input.offset, c->output + spec->output.offset,
                        c->output_size - spec->output.offset, &options, NULL, judgement, why);
}

/* In place the output lies where the input was, which is made again. */
static cumsum_status judge_case(const suite_case *c, cumsum_judgement *judgement,
                                cumsum_diagnostic *why) {
    char name[CASE_NAME_ROOM];
    suite_case again;
    if (!c->spec.in_place)
        return judge(c, c->input, judgement, why);
    case_format(name, &c->spec);
    if (case_begin_unsummed(&again, name, NULL) != TOOL_OK)
        return CUMSUM_OUT_OF_MEMORY;
    cumsum_status status = judge(c, again.input, judgement, why);
    case_end(&again);
    return status;
}

static char *words_of(const suite_case *c, const cumsum_judgement *judgement) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    fputs(judgement->pass ? "PASS: " : "FAIL: ", buffer.stream);
    show_judgement_words(buffer.stream, c->spec.type, judgement, true);
    return text_buffer_end(&buffer);
}

static void add_verdict(const suite_case *c, const cumsum_judgement *judgement, const char *words,
                        sweep_result *result) {
    const layout tensor = layout_of(&c->descriptor.output_buffer);
    json_object *object = json_make_object();
    fields_judgement(object, &tensor, judgement);
    fields_text(result->findings, "verdict", words);
    json_put_member(result->findings, "judgement", object);
}

static void add_profile(suite_case *c, sweep_result *result) {
    const layout tensor = layout_of(&c->descriptor.output_buffer);
    failure_profile *profile =
        failure_profile_of(&tensor, c->spec.axis, case_first(c->expected, &c->spec.output),
                           case_first(c->output, &c->spec.output));
    failure_profile_fields(result->findings, profile);
    free(profile);
}

/* The explanation of the differences, and below it the oracle's words. */
static void add_words(const char *words, sweep_result *result) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    fprintf(buffer.stream, "%sthe oracle: %s\n", result->detail ? result->detail : "", words);
    free(result->detail);
    result->detail = text_buffer_end(&buffer);
}

static void accept_it(const char *words, sweep_result *result) {
    result->state = SWEEP_PASS;
    snprintf(result->reason, sizeof result->reason, "other bits, but %.300s", words);
    free(result->detail);
    result->detail = NULL;
}

void sweep_find(suite_case *c, accept_choice accept, sweep_result *result) {
    cumsum_judgement judgement;
    cumsum_diagnostic why = {0};
    result->findings = json_make_object();
    const cumsum_status status = judge_case(c, &judgement, &why);
    const bool judged = status == CUMSUM_OK;
    const bool right = judged && judgement.pass && !result->stray;
    char *words = judged ? words_of(c, &judgement) : NULL;
    if (judged)
        add_verdict(c, &judgement, words, result);
    if (accept == ACCEPT_CONFORMANT && right) {
        accept_it(words + sizeof "PASS: " - 1, result);
    } else {
        add_words(judged ? words : cumsum_status_string(status), result);
        add_profile(c, result);
    }
    free(words);
}
