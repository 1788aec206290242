/* SPDX-License-Identifier: MIT */
/* Values, distances, lines around a place, and contents of buffers. */
#include "show_line.h"

#include <cumsum/oracle.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "case_file.h"
#include "element.h"
#include "json_print.h"
#include "report.h"
#include "text.h"

/* Elements shown on each side of the place. */
#define NEIGHBOURS 3

line_view line_view_of(const cumsum_operator_desc *desc, const unsigned char *input,
                       const unsigned char *expected, const unsigned char *actual) {
    const layout output = layout_of(desc->output_tensor->desc);
    return (line_view){
        desc->axis, layout_of(desc->input_tensor->desc), output, output, input, expected, actual,
        "expected"};
}

void show_value(FILE *out, cumsum_data_type type, uint64_t bits) {
    char decimal[ELEMENT_TEXT];
    char hex[ELEMENT_TEXT];
    element_decimal(decimal, type, bits);
    element_hex(hex, type, bits);
    fprintf(out, "%s (%s)", decimal, hex);
}

void show_distance(FILE *out, cumsum_data_type type, uint64_t expected, uint64_t actual,
                   uint64_t ulps) {
    if (!element_is_float(type)) {
        fprintf(out, "%" PRIu64 " apart", ulps);
        return;
    }
    const double wanted = element_value(type, expected);
    const double error = fabs(element_value(type, actual) - wanted);
    if (ulps <= MANY_ULPS)
        fprintf(out, "%" PRIu64 " ulp apart", ulps);
    else if (isnan(error))
        fputs("a NaN against a number", out);
    else if (isinf(error))
        fputs("an infinity against another value", out);
    else if (wanted == 0)
        fprintf(out, "%.3g away from 0", error);
    else
        fprintf(out, "relative error %.3g", error / fabs(wanted));
}

static void show_cell(FILE *out, const layout *tensor, const unsigned char *bytes,
                      const uint32_t *at) {
    char text[ELEMENT_TEXT];
    if (bytes) {
        element_decimal(text, tensor->type,
                        element_load(bytes + layout_offset(tensor, at), tensor->type));
        fprintf(out, "  %16s", text);
    }
}

/* The actual element minus the expected one; of integers modulo 2^N, with its sign. */
static void show_difference_cell(FILE *out, const line_view *view, const uint32_t *at) {
    const cumsum_data_type type = view->actual.type;
    const uint32_t up = 64 - 8 * view->actual.element_size;
    const uint64_t expected =
        element_load(view->expected_bytes + layout_offset(&view->expected, at), type);
    const uint64_t actual =
        element_load(view->actual_bytes + layout_offset(&view->actual, at), type);
    const double change = element_value(type, actual) - element_value(type, expected);
    if (!element_is_float(type))
        fprintf(out, "  %16" PRId64, (int64_t)((actual - expected) << up) >> up);
    else if (isnan(change) && !cumsum_same_bits(type, actual, expected))
        fprintf(out, "  %16s", "nan");
    else
        fprintf(out, "  %16.8g", isnan(change) ? 0 : change);
}

void show_line(FILE *out, const line_view *view, const uint32_t *coordinates) {
    char text[LAYOUT_TEXT];
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    uint32_t place = coordinates[view->axis];
    uint32_t length = view->actual.sizes[view->axis];
    uint32_t first = place > NEIGHBOURS ? place - NEIGHBOURS : 0;
    uint32_t last = length - 1 - place > NEIGHBOURS ? place + NEIGHBOURS : length - 1;
    memcpy(at, coordinates, sizeof at);
    layout_coordinates_text(text, view->actual.rank, coordinates);
    fprintf(out, "the line around %s along axis %" PRIu32 " (%" PRIu32 " elements):\n", text,
            view->axis, length);
    fprintf(out, "  %10s  %16s", "index", "input");
    if (view->expected_bytes)
        fprintf(out, "  %16s", view->expected_title);
    fprintf(out, "  %16s", "actual");
    if (view->expected_bytes)
        fprintf(out, "  %16s", "difference");
    putc('\n', out);
    for (uint64_t i = first; i <= last; i++) {
        at[view->axis] = (uint32_t)i;
        fprintf(out, "%c %10" PRIu64, i == place ? '>' : ' ', i);
        show_cell(out, &view->input, view->input_bytes, at);
        show_cell(out, &view->expected, view->expected_bytes, at);
        show_cell(out, &view->actual, view->actual_bytes, at);
        if (view->expected_bytes)
            show_difference_cell(out, view, at);
        putc('\n', out);
    }
}

shown_values values_of(const case_file *file, const case_file_resource *resource) {
    shown_values values = {.type = resource->type, .bytes = resource->bytes};
    const case_file_command *writer = last_writer(file, resource, file->command_count);
    uint64_t size = resource->value_bytes ? resource->value_bytes : resource->size;
    if (!cumsum_data_type_size(values.type)) {
        values.type =
            writer ? writer->dispatchable->op.output.buffer.data_type : CUMSUM_DATA_TYPE_UINT8;
    }
    values.count = size / cumsum_data_type_size(values.type);
    return values;
}

static uint64_t value_bits(const shown_values *values, uint64_t index) {
    return element_load(values->bytes + index * cumsum_data_type_size(values->type), values->type);
}

static void show_verbosely(const shown_values *values) {
    char widest[32];
    int width = snprintf(widest, sizeof widest, "%" PRIu64, values->count ? values->count - 1 : 0);
    for (uint64_t i = 0; i < values->count; i++) {
        char decimal[ELEMENT_TEXT];
        char hex[ELEMENT_TEXT];
        element_decimal(decimal, values->type, value_bits(values, i));
        element_hex(hex, values->type, value_bits(values, i));
        printf("[%*" PRIu64 "] %s (%s)\n", width, i, decimal, hex);
    }
}

void show_values(shown_values values) {
    for (uint64_t i = 0; i < values.count && !ferror(stdout); i++) {
        char decimal[ELEMENT_TEXT];
        element_decimal(decimal, values.type, value_bits(&values, i));
        printf("%s%s", i ? ", " : "", decimal);
    }
    putchar('\n');
}

void show_resource(const char *name, shown_values values, bool verbose) {
    fputs("Resource '", stdout);
    text_show(stdout, name);
    if (verbose) {
        fputs("':\n", stdout);
        show_verbosely(&values);
    } else {
        fputs("': ", stdout);
        show_values(values);
    }
}

void show_values_json(const char *file, const char *name, shown_values values,
                      json_object *fields) {
    json_object *object = fields ? fields : json_make_object();
    json_object *array = json_make_array();
    for (uint64_t i = 0; i < values.count; i++)
        json_put_element(array, fields_element(values.type, value_bits(&values, i)));
    fields_text(object, "event", "print");
    fields_text(object, "file", file);
    fields_text(object, "resource", name);
    fields_text(object, "type", cumsum_data_type_name(values.type));
    json_put_member(object, "values", array);
    report_json_line(object);
}
