/* SPDX-License-Identifier: MIT */
#include "report_model.h"

#include <stdlib.h>

#include "memory.h"

/* The name was parsed when the results were read. */
static void describe(model_case *one, const merged_case *merged) {
    tool_error error;
    sweep_state outcome = merged->result->outcome;
    *one = (model_case){.name = merged->name, .result = merged->result, .elements = 1};
    (void)case_parse(one->name, &one->spec, &error);
    for (uint32_t d = 0; d < one->spec.rank; d++)
        one->elements *= one->spec.sizes[d];
    one->ran = outcome != SWEEP_NOT_SUPPORTED;
    one->failed = sweep_state_is_failure(outcome);
    one->shown = one->failed && sweep_state_fails_sweep(merged->result->state);
}

void report_model_begin(report_model *model, const results_merge *merge) {
    const sweep_results *results = merge->results;
    size_t count = results->names.count;
    *model = (report_model){.merge = merge,
                            .cases = tool_calloc(count + 1, sizeof *model->cases),
                            .count = count,
                            .by_name = tool_calloc(count + 1, sizeof *model->by_name)};
    for (size_t i = 0; i < count; i++) {
        describe(&model->cases[i], &merge->cases[i]);
        model->by_name[merge->cases[i].result - results->cases] = i;
    }
}

void report_model_add_rules(report_model *model) {
    rule_index_begin(&model->rules, &model->merge->results->names);
}

void report_model_free(report_model *model) {
    rule_index_free(&model->rules);
    free(model->cases);
    free(model->by_name);
    *model = (report_model){0};
}

void case_counts_add(case_counts *counts, const model_case *one) {
    counts->cases++;
    counts->ran += one->ran;
    counts->failed += one->failed;
}

const model_case *report_model_linked(const report_model *model, size_t link) {
    return &model->cases[model->by_name[model->rules.links[link].name]];
}
