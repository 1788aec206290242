/* SPDX-License-Identifier: MIT */
/* Prints values, distances, lines around a place, and contents of buffers. */
#include "show_line.h"

#include <inttypes.h>
#include <stdio.h>

#include "case_file.h"
#include "element.h"
#include "json_tree.h"
#include "report.h"
#include "text.h"

void show_value(FILE *out, cumsum_data_type type, uint64_t bits) {
    char text[3 * CUMSUM_ELEMENT_TEXT];
    cumsum_writer w = {text, sizeof text, 0, false};
    cumsum_write_value(&w, type, bits);
    fputs(text, out);
}

void show_distance(FILE *out, cumsum_data_type type, uint64_t expected, uint64_t actual,
                   uint64_t ulps) {
    char text[100];
    cumsum_writer w = {text, sizeof text, 0, false};
    cumsum_write_distance(&w, type, expected, actual, ulps);
    fputs(text, out);
}

void show_line(FILE *out, const cumsum_line_view *view, const uint32_t *coordinates) {
    char text[2000]; /* a title and seven lines of 85 characters */
    cumsum_writer w = {text, sizeof text, 0, false};
    cumsum_write_line(&w, view, coordinates);
    fputs(text, out);
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
        char decimal[CUMSUM_ELEMENT_TEXT];
        char hex[CUMSUM_ELEMENT_TEXT];
        cumsum_element_decimal(decimal, values->type, value_bits(values, i));
        cumsum_element_hex(hex, values->type, value_bits(values, i));
        printf("[%*" PRIu64 "] %s (%s)\n", width, i, decimal, hex);
    }
}

void show_values(shown_values values) {
    for (uint64_t i = 0; i < values.count && !ferror(stdout); i++) {
        char decimal[CUMSUM_ELEMENT_TEXT];
        cumsum_element_decimal(decimal, values.type, value_bits(&values, i));
        printf("%s%s", i ? ", " : "", decimal);
    }
    putchar('\n');
}

void show_resource(const char *name, shown_values values, bool verbose) {
    text_show(stdout, verbose ? "Resource '%s':\n" : "Resource '%s': ", name);
    if (verbose)
        show_verbosely(&values);
    else
        show_values(values);
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
