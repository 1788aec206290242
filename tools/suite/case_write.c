/* SPDX-License-Identifier: MIT */
/* Writes a case as the text of a case file, with .npy files for large buffers. */
#include "case_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_build.h"
#include "element.h"
#include "file.h"
#include "json_tree.h"
#include "name_set.h"
#include "npy.h"
#include "text.h"
#include "words.h"

/* A buffer of the case. */
typedef struct case_resource {
    const char *name;
    cumsum_data_type type;
    const unsigned char *bytes;
    uint64_t count;                 /* elements */
    bool uniform;                   /* all elements have the same bits */
    char file[CASE_NAME_ROOM + 32]; /* the .npy file that holds it; "": the case file does */
} case_resource;

typedef struct written_case {
    const suite_case *source;
    const case_title *title;
    case_resource resources[3]; /* input and output, or one buffer for both; the expected one */
    size_t count;
} written_case;

static case_resource resource_of(const suite_case *c, const char *name, const unsigned char *bytes,
                                 uint64_t size, const char *stem) {
    uint32_t element = cumsum_data_type_size(c->spec.type);
    case_resource r = {.name = name,
                       .type = c->spec.type,
                       .bytes = bytes,
                       .count = size / element,
                       .uniform =
                           size == element || !memcmp(bytes, bytes + element, size - element)};
    if (!r.uniform && r.count > CASE_INLINE_ELEMENTS)
        snprintf(r.file, sizeof r.file, "%s.%s.npy", stem, name);
    return r;
}

/* c and title must outlive it. */
static void written_case_of(const suite_case *c, const case_title *title, written_case *out) {
    const char *stem = title->stem;
    const char *output = c->spec.in_place ? "data" : "output";
    const char *expected = c->spec.in_place ? "data.expected" : "output.expected";
    *out = (written_case){.source = c, .title = title};
    if (!c->spec.in_place)
        out->resources[out->count++] = resource_of(c, "input", c->input, c->input_size, stem);
    out->resources[out->count++] = resource_of(c, output, c->output, c->output_size, stem);
    out->resources[out->count++] = resource_of(c, expected, c->expected, c->output_size, stem);
}

static void print_path(FILE *out, const char *path) {
    json_object *value = json_make_string(path);
    fputs(json_print(value), out);
    json_object_put(value);
}

/* -0 is printed as -0.0: readers that make integers of "-0" would lose the sign. */
static void print_element(FILE *out, cumsum_data_type type, const unsigned char *bytes) {
    char text[CUMSUM_ELEMENT_TEXT];
    uint64_t bits = element_load(bytes, type);
    cumsum_element_decimal(text, type, bits);
    fprintf(out,
            !element_is_finite(type, bits) ? "\"%s\""
            : strcmp(text, "-0")           ? "%s"
                                           : "%s.0",
            text);
}

static void print_values(FILE *out, const case_resource *r) {
    uint32_t element = cumsum_data_type_size(r->type);
    fputc('[', out);
    for (uint64_t i = 0; i < r->count; i++) {
        fputs(i ? ", " : "", out);
        print_element(out, r->type, r->bytes + i * element);
    }
    fputc(']', out);
}

static void print_resource(FILE *out, const case_resource *r, bool last) {
    fprintf(out, "    \"%s\": { \"initialValuesDataType\": \"%s\", \"initialValues\": ", r->name,
            cumsum_data_type_name(r->type));
    if (r->file[0]) {
        fputs("{ \"sourcePath\": ", out);
        print_path(out, r->file);
        fputs(" }", out);
    } else if (r->uniform) {
        fputs("{ \"value\": ", out);
        print_element(out, r->type, r->bytes);
        fprintf(out, ", \"valueCount\": %" PRIu64 " }", r->count);
    } else {
        print_values(out, r);
    }
    fprintf(out, " }%s\n", last ? "" : ",");
}

static void print_numbers(FILE *out, const char *key, uint32_t count, const uint32_t *numbers) {
    fprintf(out, ", \"%s\": [", key);
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%s%" PRIu32, i ? ", " : "", numbers[i]);
    fputc(']', out);
}

static void print_tensor(FILE *out, const char *name, const cumsum_buffer_tensor_desc *tensor) {
    fprintf(out, "        \"%s\": { \"DataType\": \"%s\"", name,
            cumsum_data_type_name(tensor->data_type));
    print_numbers(out, "Sizes", tensor->dimension_count, tensor->sizes);
    if (tensor->strides)
        print_numbers(out, "Strides", tensor->dimension_count, tensor->strides);
    fputs(" },\n", out);
}

/* docs/formats.md defines the words. */
static void print_numerics(FILE *out, const case_spec *c) {
    static const char *const orders[] = {"SEQUENTIAL", "BLOCKED", "EXACT"};
    static const char *const stores[] = {"NEAREST_EVEN", "TOWARD_ZERO", "IEEE"};
    fprintf(out, ",\n      \"numerics\": { \"order\": \"%s\"", orders[c->numerics.order]);
    if (c->type == CUMSUM_DATA_TYPE_FLOAT16) {
        bool half = c->numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
        fprintf(out, ", \"halfAccumulator\": \"%s\", \"halfStore\": \"%s\"",
                half ? "FLOAT16" : "FLOAT32", stores[c->numerics.half_store]);
    } else if (c->type == CUMSUM_DATA_TYPE_FLOAT32) {
        bool flush = c->numerics.denormals == CUMSUM_DENORMALS_FLUSH;
        fprintf(out, ", \"denormals\": \"%s\"", flush ? "FLUSH" : "PRESERVE");
    }
    fputs(" }", out);
}

static void print_dispatchable(FILE *out, const written_case *w) {
    const case_spec *c = &w->source->spec;
    fprintf(out,
            "    \"%s\": {\n      \"type\": \"DML_OPERATOR_CUMULATIVE_SUMMATION\",\n"
            "      \"desc\": {\n",
            w->title->name);
    print_tensor(out, "InputTensor", &w->source->descriptor.input_buffer);
    print_tensor(out, "OutputTensor", &w->source->descriptor.output_buffer);
    fprintf(out,
            "        \"Axis\": %" PRIu32
            ",\n        \"AxisDirection\": \"DML_AXIS_DIRECTION_%s\",\n"
            "        \"HasExclusiveSum\": %s\n      }",
            c->axis, c->decreasing ? "DECREASING" : "INCREASING", c->exclusive ? "true" : "false");
    if (c->numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16)
        fputs(",\n      \"executionFlags\": \"ALLOW_HALF_PRECISION_COMPUTATION\"", out);
    if (!w->title->any_numerics)
        print_numerics(out, c);
    fputs("\n    }\n", out);
}

static void print_binding(FILE *out, const char *tensor, const char *resource,
                          const case_tensor *place, cumsum_data_type type, uint64_t size) {
    uint32_t element = cumsum_data_type_size(type);
    if (!place->offset) {
        fprintf(out, "\"%s\": \"%s\"", tensor, resource);
        return;
    }
    fprintf(out,
            "\"%s\": { \"name\": \"%s\", \"elementCount\": %" PRIu64
            ", \"elementSizeInBytes\": %" PRIu32 ", \"elementOffset\": %" PRIu32 " }",
            tensor, resource, (size - place->offset) / element, element, place->offset / element);
}

static void print_command(FILE *out, const written_case *w) {
    const suite_case *c = w->source;
    const char *output = c->spec.in_place ? "data" : "output";
    fprintf(out, "    { \"type\": \"dispatch\", \"dispatchable\": \"%s\",\n      \"bindings\": { ",
            w->title->name);
    print_binding(out, "InputTensor", w->resources[0].name, &c->spec.input, c->spec.type,
                  c->input_size);
    fputs(", ", out);
    print_binding(out, "OutputTensor", output, &c->spec.output, c->spec.type, c->output_size);
    fputs(" } }\n", out);
}

static void written_case_print(const written_case *w, FILE *out) {
    fputs("{\n", out);
    json_object_object_foreach(w->title->head, key, value) {
        fprintf(out, "  \"%s\": %s,\n", key, json_print(value));
    }
    fputs("  \"resources\": {\n", out);
    for (size_t i = 0; i < w->count; i++)
        print_resource(out, &w->resources[i], i + 1 == w->count);
    fputs("  },\n  \"dispatchables\": {\n", out);
    print_dispatchable(out, w);
    fputs("  },\n  \"commands\": [\n", out);
    print_command(out, w);
    fputs("  ]\n}\n", out);
}

void case_file_stem(const char *name, char stem[CASE_NAME_ROOM]) {
    if (strlen(name) <= CASE_PATH_NAME)
        snprintf(stem, CASE_NAME_ROOM, "%s", name);
    else
        snprintf(stem, CASE_NAME_ROOM, "%.*s-%016" PRIx64, CASE_PATH_NAME, name, name_hash(name));
}

static tool_status write_data(const case_resource *resource, const char *folder,
                              tool_error *error) {
    char *path = file_join(folder, resource->file);
    uint32_t count = (uint32_t)resource->count;
    tool_status status = npy_write(path, resource->type, false, 1, &count, resource->bytes, error);
    free(path);
    return status;
}

tool_status case_write(const suite_case *c, const char *folder, char **path, tool_error *error) {
    char name[CASE_NAME_ROOM];
    char stem[CASE_NAME_ROOM];
    char source[CASE_NAME_ROOM + 16];
    json_object *head = json_make_object();
    case_format(name, &c->spec);
    case_file_stem(name, stem);
    snprintf(source, sizeof source, "cumsum generate %s", name);
    json_put_member(head, "source", json_make_string(source));
    const case_title title = {.name = name, .stem = stem, .head = head};
    const tool_status status = case_write_titled(c, &title, folder, path, error);
    json_object_put(head);
    return status;
}

tool_status case_write_titled(const suite_case *c, const case_title *title, const char *folder,
                              char **path, tool_error *error) {
    char file[CASE_NAME_ROOM + 24];
    written_case w;
    tool_status status = TOOL_OK;
    written_case_of(c, title, &w);
    for (size_t i = 0; i < w.count && status == TOOL_OK; i++)
        if (w.resources[i].file[0])
            status = write_data(&w.resources[i], folder, error);
    snprintf(file, sizeof file, "%s.json", title->stem);
    *path = file_join(folder, file);
    if (status == TOOL_OK) {
        text_buffer buffer;
        text_buffer_open(&buffer);
        written_case_print(&w, buffer.stream);
        status = file_write_text(*path, &buffer, error);
    }
    if (status != TOOL_OK) {
        free(*path);
        *path = NULL;
    }
    return status;
}
