/* SPDX-License-Identifier: MIT */
/* Asks the oracle for a judgement and its explanation, and shows what the library says of it. */
#include "judged_output.h"

#include <stdlib.h>
#include <string.h>

#include "json_tree.h"
#include "memory.h"
#include "text.h"
#include "words.h"

cumsum_status judged_output_read_profile(judged_output *o, cumsum_diagnostic *diagnostic) {
    if (!o->profile)
        return CUMSUM_OK;
    o->options.profile = &o->profile_values;
    return cumsum_profile_read(o->profile, o->tensor.type, &o->profile_values, diagnostic);
}

/* places: those of the judgement follow one another in memory. */
static cumsum_status ask_segments(judged_output *o, cumsum_diagnostic *diagnostic) {
    const cumsum_status status = cumsum_judge_segments(
        o->desc, o->segments, o->input, o->input_in_bytes, o->output, o->output_in_bytes,
        &o->options, NULL, &o->pieces, &o->gravest, diagnostic);
    o->judgement = o->pieces.judgement;
    o->places = (const uint64_t(*)[CUMSUM_MAX_DIMENSIONS])o->pieces.first;
    return status;
}

cumsum_status judged_output_ask(judged_output *o, cumsum_diagnostic *diagnostic) {
    o->tensor = layout_of(o->desc->output_tensor->desc);
    const cumsum_status status = judged_output_read_profile(o, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    if (o->segments)
        return ask_segments(o, diagnostic);
    return cumsum_judge(o->desc, o->input, o->input_in_bytes, o->output, o->output_in_bytes,
                        &o->options, NULL, &o->judgement, diagnostic);
}

const word_row accept_words[] = {{"bits", ACCEPT_BITS},
                                 {"conformant", ACCEPT_CONFORMANT},
                                 {"suspect", ACCEPT_SUSPECT},
                                 {NULL, 0}};
const word_row judge_accept_words[] = {{"decided", ACCEPT_DECIDED},
                                       {"conformant", ACCEPT_CONFORMANT},
                                       {"suspect", ACCEPT_SUSPECT},
                                       {NULL, 0}};

const char *accept_option(accept_choice accept) {
    static const char *const options[] = {"", " --accept conformant", " --accept suspect"};
    return options[accept];
}

result_status judgement_status(const cumsum_judgement *j) {
    return j->pass ? RESULT_PASS : cumsum_judged_suspect(j) ? RESULT_SUSPECT : RESULT_FAIL;
}

result_status judgement_status_of_other_bits(const cumsum_judgement *j, accept_choice accept) {
    const result_status status = judgement_status(j);
    return status == RESULT_PASS && accept == ACCEPT_BITS ? RESULT_FAIL : status;
}

static cumsum_judged judged_of_output(const judged_output *o) {
    return (cumsum_judged){.desc = o->segments ? NULL : o->desc,
                           .sums = o->sums,
                           .type = o->tensor.type,
                           .rank = o->tensor.rank,
                           .input = o->input,
                           .input_in_bytes = o->input_in_bytes,
                           .actual = o->output,
                           .actual_in_bytes = o->output_in_bytes,
                           .before = o->before,
                           .options = &o->options,
                           .judgement = &o->judgement,
                           .closer = o->closer,
                           .profile = o->profile,
                           .places = o->places,
                           .measure = o->measure,
                           .range = o->range};
}

void judged_output_explain(judged_output *o) {
    const cumsum_judged judged = judged_of_output(o);
    cumsum_explain(&judged, &o->instead, NULL);
}

/* The text of some parts, or with 0 the JSON object. The caller frees it. */
static char *judgement_text(const judged_output *o, uint32_t parts) {
    const cumsum_judged judged = judged_of_output(o);
    size_t room = 4096, length = 0;
    char *text = tool_malloc(room);
    for (;; room = length + 1) {
        length = parts ? cumsum_judgement_text(&judged, &o->instead, parts, text, room)
                       : cumsum_judgement_json(&judged, &o->instead, text, room);
        if (length < room)
            return text;
        text = tool_realloc(text, length + 1, 1);
    }
}

bool show_judgement(FILE *out, const judged_output *o, uint32_t parts) {
    char *text = judgement_text(o, parts);
    const bool shown = *text;
    fputs(text, out);
    free(text);
    return shown;
}

char *judgement_sentence(const judged_output *o) {
    return judgement_text(o, CUMSUM_TEXT_STATUS | CUMSUM_TEXT_CLASS);
}

json_object *judgement_object(const judged_output *o) {
    char *text = judgement_text(o, 0);
    json_object *object = json_read(text, strlen(text));
    free(text);
    return object;
}

void show_judgement_legend(FILE *out, const char *indent, const char *words, bool verbose,
                           uint32_t *explained) {
    char text[2048];
    cumsum_judgement_legend(words, explained, verbose, text, sizeof text);
    text_indent(out, indent, text);
}
