/* SPDX-License-Identifier: MIT */
/* cumsum judge --beside: another recording of the same sums. Where do the two differ first, and
 * which of them is nearer to the exact sums? */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "json_tree.h"
#include "judge.h"
#include "memory.h"

/* The elements in row-major order, whatever the layout of the array is. */
static unsigned char *packed_elements(const judged_output *o) {
    unsigned char *packed = tool_calloc(o->tensor.count, o->tensor.element_size);
    layout_gather(&o->tensor, o->output, packed);
    return packed;
}

static void put_differences(report_record *record, json_object *beside, const judged_output *o,
                            const judged_output *other) {
    const layout tensor = layout_packed(&o->tensor);
    unsigned char *one = packed_elements(o), *two = packed_elements(other);
    const comparison c = compare_tensors(&tensor, one, two);
    FILE *out = record->detail.stream;
    char place[LAYOUT_TEXT];
    free(one);
    free(two);
    layout_coordinates_text(place, tensor.rank, c.first.coordinates);
    comparison_fields(beside, &tensor, &c);
    fprintf(out, "%" PRIu64 " of %" PRIu64 " outputs differ", c.differing, c.outputs);
    if (c.differing) {
        fprintf(out, ", the first at %s: ", place);
        show_both(out, tensor.type, &c.first);
    }
    putc('\n', out);
}

/* The mean distance from the exact sums decides. */
static void put_nearer(report_record *record, json_object *beside, const char *path, double one,
                       double two) {
    FILE *out = record->detail.stream;
    fields_text(beside, "nearer", one == two ? "both" : one < two ? record->file : path);
    if (one == two)
        fprintf(out, "both are as near to the exact sums: %.4g away in the mean\n", one);
    else
        fprintf(out, "%s is nearer to the exact sums: %.4g away in the mean, %s %.4g\n",
                one < two ? record->file : path, fmin(one, two), one < two ? path : record->file,
                fmax(one, two));
}

void judge_put_beside(const judge_report *to, report_record *record, const judged_output *o,
                      const judged_output *other) {
    const char *path = to->options->beside;
    const cumsum_errors *one = &o->instead.errors, *two = &other->instead.errors;
    json_object *beside = json_make_object();
    char *words = judgement_sentence(other);
    fprintf(record->detail.stream, "beside %s: %s\n", path, words);
    free(words);
    fields_text(beside, "file", path);
    json_put_member(beside, "judgement", judgement_object(other));
    put_differences(record, beside, o, other);
    if (one->outputs && two->outputs)
        put_nearer(record, beside, path, one->mean_magnitude, two->mean_magnitude);
    json_put_member(record->fields, "beside", beside);
}

tool_status judge_read_beside(const judge_report *to, recordings *r, actual_file *file,
                              recorded_output *other, tool_error *error) {
    const char *name = to->command->output.resource->name;
    bool found;
    *file =
        (actual_file){.text = name, .resource_length = strlen(name), .path = to->options->beside};
    tool_status status = recordings_read(r, r->files, to->file, error);
    if (status == TOOL_OK)
        status = recordings_find(r, to->command, other, &found, error);
    return status;
}
