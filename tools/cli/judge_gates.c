/* SPDX-License-Identifier: MIT */
/* Compares a judgement with --min-class and --require-order. */
#include "judge_gates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "element.h"
#include "executor.h"
#include "json_print.h"
#include "memory.h"
#include "report.h"
#include "text.h"

/* The number of outputs that differ from those of a saved order, and the first of them; NULL if
 * none differs. The caller frees it. */
static char *order_misfit(const held_order *held, const case_file_command *command,
                          const recorded_output *recorded) {
    const layout *output = &recorded->elements;
    unsigned char *expected = tool_malloc(output->extent_in_bytes);
    char first[LAYOUT_TEXT];
    order_expect(held, &command->dispatchable->op.desc, binding_bytes(&command->input), output,
                 expected);
    order_settle_zeros(held, output, expected, recorded->first);
    const comparison found = compare_tensors(output, expected, recorded->first);
    free(expected);
    if (!found.differing)
        return NULL;
    text_buffer buffer;
    text_buffer_begin(&buffer);
    layout_coordinates_text(first, output->rank, found.first.coordinates);
    fprintf(buffer.stream,
            "%" PRIu64 " of %" PRIu64 " outputs differ, the first at %s, from the order of ",
            found.differing, output->count, first);
    text_show(buffer.stream, held->path);
    return text_buffer_end(&buffer);
}

static bool has_order(const cumsum_judgement *j, cumsum_named_order order) {
    for (uint32_t i = 0; i < j->match_count; i++)
        if (j->matches[i].order == order)
            return true;
    return false;
}

/* Integers have one sum in every order. An output that fails has no class and no order. */
static void put_unmet(FILE *out, const tool_options *options, cumsum_data_type type,
                      const cumsum_judgement *j) {
    if (!j->pass || !element_is_float(type))
        return;
    if (options->has_min_class && j->error_class > options->min_class) {
        fprintf(out, "the class %s is worse than %s\n", cumsum_error_class_name(j->error_class),
                cumsum_error_class_name(options->min_class));
    }
    if (options->has_required_order && !has_order(j, options->required_order))
        fprintf(out, "the order %s does not give these bits\n",
                cumsum_named_order_name(options->required_order));
}

static void put_fields(json_object *fields, const char *unmet, const char *misfit) {
    json_object *list = json_make_array();
    for (const char *line = unmet; *line;) {
        const size_t length = strcspn(line, "\n");
        char text[200];
        json_put_element(list, json_make_string(text_printable(text, sizeof text, line, length)));
        line += length + (line[length] == '\n');
    }
    json_put_member(fields, "unmet", list);
    if (misfit)
        fields_text(fields, "heldOrder", misfit);
}

char *judge_unmet(const tool_options *options, const held_order *held,
                  const case_file_command *command, const recorded_output *recorded,
                  const cumsum_judgement *j, json_object *fields) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    char *misfit = held->path ? order_misfit(held, command, recorded) : NULL;
    put_unmet(buffer.stream, options, recorded->elements.type, j);
    if (misfit)
        fprintf(buffer.stream, "%s\n", misfit);
    char *unmet = text_buffer_end(&buffer);
    const bool any = *unmet != '\0';
    if (fields && any)
        put_fields(fields, unmet, misfit);
    free(misfit);
    if (any)
        return unmet;
    free(unmet);
    return NULL;
}
