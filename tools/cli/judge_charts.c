/* SPDX-License-Identifier: MIT */
/* What the charts of judge --html show. */
#include "judge_charts.h"

#include <stdlib.h>
#include <string.h>

#include "json_print.h"
#include "memory.h"
#include "profile.h"
#include "report.h"

/* Takes the recorded value as expected where the charts are to show nothing. */
static void hide(const recorded_output *recorded, const uint8_t *verdicts, bool pass,
                 unsigned char *expected) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        const uint64_t offset = layout_offset(&recorded->elements, at);
        const uint8_t verdict = *verdicts++;
        if (verdict == CUMSUM_VERDICT_COUNT ||
            (!pass && verdict != CUMSUM_VERDICT_FAIL && verdict != CUMSUM_VERDICT_INDETERMINATE))
            memcpy(expected + offset, recorded->first + offset, recorded->elements.element_size);
    } while (layout_next(&recorded->elements, at));
}

static bool shows_something(const failure_profile *profile) {
    uint64_t differing = 0;
    for (uint32_t bin = 0; bin < profile->axis.count; bin++)
        differing += profile->axis_differing[bin];
    return differing > 0;
}

json_object *judge_charts(const recorded_output *recorded, const unsigned char *input,
                          uint64_t input_in_bytes, const cumsum_judge_options *options,
                          const cumsum_judgement *j) {
    const cumsum_operator_desc *desc = &recorded->desc;
    const uint64_t size = recorded->elements.extent_in_bytes;
    cumsum_judge_options again = *options;
    cumsum_judgement same;
    json_object *fields = NULL;
    unsigned char *expected = tool_malloc(size);
    uint8_t *verdicts = tool_malloc(recorded->elements.count);
    again.no_orders = true;
    memcpy(expected, recorded->first, size);
    if (cumsum_exact_sums(desc, input, input_in_bytes, expected, size, NULL) == CUMSUM_OK &&
        cumsum_judge(desc, input, input_in_bytes, recorded->first, recorded->size, &again, verdicts,
                     &same, NULL) == CUMSUM_OK) {
        hide(recorded, verdicts, j->pass, expected);
        failure_profile *profile =
            failure_profile_of(&recorded->elements, desc->axis, expected, recorded->first);
        if (shows_something(profile)) {
            fields = json_make_object();
            fields_text(fields, "outputs",
                        j->pass ? "The outputs that are not the exact sums, rounded once"
                                : "The outputs that fail, beside the exact sums, rounded once");
            failure_profile_fields(fields, profile);
            if (!j->pass)
                fields_numbers(fields, "first", recorded->elements.rank, j->first.coordinates);
        }
        free(profile);
    }
    free(verdicts);
    free(expected);
    return fields;
}
