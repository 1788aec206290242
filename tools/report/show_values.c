/* SPDX-License-Identifier: MIT */
#include "show_values.h"

#include <inttypes.h>
#include <stdio.h>

#include "buffer_state.h"
#include "element.h"
#include "json_make.h"
#include "report.h"
#include "report_fields.h"
#include "text.h"

shown_values values_of(const model *m, const model_resource *resource) {
    shown_values values = {.type = resource->type, .bytes = resource->bytes};
    const model_command *writer = last_writer(m, resource, m->command_count);
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
