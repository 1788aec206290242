/* SPDX-License-Identifier: MIT */
/* What the charts of judge --html show. */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

#include "json_print.h"
#include "memory.h"
#include "profile.h"
#include "report.h"

/* Takes the output as expected where the charts are to show nothing. */
static void hide_elements(const judged_output *o, const uint8_t *verdicts,
                          unsigned char *expected) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        const uint64_t offset = layout_offset(&o->tensor, at);
        const uint8_t verdict = *verdicts++;
        if (verdict == CUMSUM_VERDICT_COUNT ||
            (!o->judgement.pass && verdict != CUMSUM_VERDICT_FAIL &&
             verdict != CUMSUM_VERDICT_INDETERMINATE))
            memcpy(expected + offset, o->output + offset, o->tensor.element_size);
    } while (layout_next(&o->tensor, at));
}

json_object *judge_charts(const judged_output *o) {
    const uint64_t size = o->tensor.extent_in_bytes;
    cumsum_judge_options again = o->options;
    cumsum_judgement same;
    json_object *fields = json_make_object();
    bool shown = false;
    unsigned char *expected = tool_malloc(size);
    uint8_t *verdicts = tool_malloc(o->tensor.count);
    again.no_orders = true;
    memcpy(expected, o->output, size);
    if (cumsum_exact_sums(o->desc, o->input, o->input_in_bytes, expected, size, NULL) ==
            CUMSUM_OK &&
        cumsum_judge(o->desc, o->input, o->input_in_bytes, o->output, o->output_in_bytes, &again,
                     verdicts, &same, NULL) == CUMSUM_OK) {
        hide_elements(o, verdicts, expected);
        fields_text(fields, "outputs",
                    o->judgement.pass
                        ? "The outputs that are not the exact sums, rounded once"
                        : "The outputs that fail, beside the exact sums, rounded once");
        shown = failure_profile_fields(fields, &o->tensor, o->desc->axis, expected, o->output);
        if (!o->judgement.pass)
            fields_numbers(fields, "first", o->tensor.rank, o->judgement.first.coordinates);
    }
    free(verdicts);
    free(expected);
    if (!shown)
        json_object_put(fields);
    return shown ? fields : NULL;
}
