/* SPDX-License-Identifier: MIT */
/* Reads the commands of a case file: dispatch with its bindings, print and writeFile. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "case_file_reader.h"
#include "file.h"
#include "layout.h"

/* The number of the resource or the dispatchable that has this name; SIZE_MAX with an error. */
static size_t find(const json_object *among, const json_object *name, const char *kind) {
    const char *text = json_string(name);
    const json_object *member = json_member(among, text);
    if (!member)
        json_fail(name, TOOL_MALFORMED, "there is no %s named \"%.95s\"", kind, text);
    return member && json_ok(name) ? json_place_of(member)->index : SIZE_MAX;
}

/* NULL with an error. */
static case_file_resource *read_resource(const case_reader *reader, const json_object *name) {
    const size_t found = find(reader->resources, name, "resource");
    return found == SIZE_MAX ? NULL : &reader->file->resources[found];
}

static void read_print(case_reader *reader, const json_object *value, case_file_command *out) {
    const json_object *verbose = json_member(value, "verbose");
    out->type = CASE_FILE_COMMAND_PRINT;
    out->resource = read_resource(reader, json_need(value, "resource"));
    out->verbose = verbose && json_flag(verbose);
}

/* The dimensions must fit in the resource. */
static void check_dimensions(const json_object *dimensions, const case_file_command *command) {
    uint64_t size = cumsum_data_type_size(command->resource->type);
    if (command->dimension_count > CUMSUM_MAX_DIMENSIONS)
        json_fail(dimensions, TOOL_MALFORMED,
                  "there are %" PRIu32 " dimensions: at most 8 are supported",
                  command->dimension_count);
    for (uint32_t i = 0; i < command->dimension_count && json_ok(dimensions); i++) {
        const json_object *element = json_element(dimensions, i);
        uint32_t n = command->dimensions[i];
        if (n == 0)
            json_fail(element, TOOL_MALFORMED, "a dimension may not be 0");
        else if (size > command->resource->size / n)
            json_fail(dimensions, TOOL_MALFORMED,
                      "the dimensions need more bytes than the %" PRIu64 " of the resource %.100s",
                      command->resource->size, command->resource->name);
        size *= n;
    }
}

static void read_dimensions(const json_object *value, case_file_command *out) {
    size_t count;
    out->dimensions = case_file_read_array(value, "dimensions", &count);
    out->dimension_count = (uint32_t)count;
    if (count == 0) {
        free(out->dimensions);
        out->dimensions = NULL;
    } else if (json_ok(value)) {
        check_dimensions(json_member(value, "dimensions"), out);
    }
}

static void read_write_file(case_reader *reader, const json_object *value, case_file_command *out) {
    out->type = CASE_FILE_COMMAND_WRITE_FILE;
    out->resource = read_resource(reader, json_need(value, "resource"));
    const json_object *path = json_need(value, "targetPath");
    const char *text = json_string(path);
    if (text[0] == '\0')
        json_fail(path, TOOL_MALFORMED, "a path may not be empty");
    out->target_path = file_join(reader->folder, text);
    read_dimensions(value, out);
}

/* D3D12's least alignment of a binding (DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT). */
#define MINIMUM_ALIGNMENT 16

/* The members of a binding. */
typedef struct element_range {
    uint64_t offset;
    uint64_t count;
    uint64_t size; /* bytes of an element */
} element_range;

static element_range read_range(const json_object *value) {
    element_range range;
    range.offset = json_uint64(value, "elementOffset", 0);
    range.count = json_uint64(value, "elementCount", 0);
    range.size = json_uint64(value, "elementSizeInBytes", 0);
    if (range.offset > 0 && range.size == 0)
        json_fail(value, TOOL_MALFORMED, "an elementOffset needs an elementSizeInBytes");
    return range;
}

/* The range extends from the offset to the end of the resource; elementCount elements must fit in
 * it. */
static void place_range(const json_object *value, const element_range *range,
                        case_file_binding *out) {
    uint64_t whole = out->resource->size;
    uint64_t bytes;
    if (__builtin_mul_overflow(range->offset, range->size, &out->offset) || out->offset >= whole ||
        __builtin_mul_overflow(range->count, range->size, &bytes) || bytes > whole - out->offset)
        json_fail(value, TOOL_MALFORMED,
                  "elementCount %" PRIu64 " from elementOffset %" PRIu64 " of %" PRIu64
                  " bytes each does not lie in the resource %.100s of %" PRIu64 " bytes",
                  range->count, range->offset, range->size, out->resource->name, whole);
    out->size = whole - out->offset;
}

static void read_source(const case_reader *reader, const json_object *value,
                        case_file_binding *out) {
    const json_object *name = value;
    element_range range = {0, 0, 0};
    if (json_type_of(value) == json_type_object) {
        name = json_need(value, "name");
        range = read_range(value);
    } else if (json_type_of(value) != json_type_string) {
        json_fail_type(value, "the name of a resource, or an object");
    }
    out->resource = read_resource(reader, name);
    if (out->resource)
        place_range(value, &range, out);
}

static void check_alignment(const json_object *value, const case_file_tensor *tensor,
                            const case_file_binding *binding) {
    uint64_t alignment = tensor->buffer.guaranteed_base_offset_alignment;
    alignment = alignment > MINIMUM_ALIGNMENT ? alignment : MINIMUM_ALIGNMENT;
    if (binding->offset % alignment != 0)
        json_fail(value, TOOL_MALFORMED,
                  "the offset of %" PRIu64 " bytes must be a multiple of %" PRIu64
                  ": of 16 and of GuaranteedBaseOffsetAlignment",
                  binding->offset, alignment);
    if (alignment > CASE_FILE_ALIGNMENT)
        json_fail(value, TOOL_MALFORMED,
                  "GuaranteedBaseOffsetAlignment is %" PRIu64
                  ": a resource starts at a multiple of %d bytes, and of no more",
                  alignment, CASE_FILE_ALIGNMENT);
}

/* Skips invalid operators: they are rejected before their bindings matter. */
static void check_tensor_room(const json_object *value, const case_file_dispatchable *dispatchable,
                              const case_file_tensor *tensor, const case_file_binding *binding) {
    uint64_t needed = tensor->buffer.total_tensor_size_in_bytes;
    if (binding->size < needed &&
        cumsum_validate(&dispatchable->op.desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL) == CUMSUM_OK)
        json_fail(value, TOOL_MALFORMED,
                  "the resource %.100s has %" PRIu64
                  " bytes from here: TotalTensorSizeInBytes is %" PRIu64,
                  binding->resource->name, binding->size, needed);
}

static void read_binding(const case_reader *reader, const json_object *bindings, const char *name,
                         const case_file_dispatchable *dispatchable, const case_file_tensor *tensor,
                         case_file_binding *out) {
    const json_object *source = json_need(bindings, name);
    if (json_type_of(source) == json_type_array && json_length(source) != 1)
        json_fail(source, TOOL_MALFORMED, "exactly one resource is bound to %s", name);
    else if (json_type_of(source) == json_type_array)
        source = json_element(source, 0);
    read_source(reader, source, out);
    if (!json_ok(source))
        return;
    check_alignment(source, tensor, out);
    check_tensor_room(source, dispatchable, tensor, out);
}

/* The expected contents must reach as far as the elements of the output tensor. */
static void check_expected(const json_object *value, const case_file_command *command) {
    const case_file_resource *expected = command->output.resource->expected;
    if (!expected || cumsum_validate(&command->dispatchable->op.desc, CUMSUM_FEATURE_LEVEL_DEFAULT,
                                     NULL) != CUMSUM_OK)
        return;
    const uint64_t needed = layout_of(&command->dispatchable->op.output.buffer).extent_in_bytes;
    if (expected->size < command->output.offset || expected->size - command->output.offset < needed)
        json_fail(value, TOOL_MALFORMED,
                  "the resource %.100s has %" PRIu64
                  " bytes: the output tensor, from offset %" PRIu64 ", has %" PRIu64,
                  expected->name, expected->size, command->output.offset, needed);
}

static void read_dispatch(case_reader *reader, const json_object *value, case_file_command *out) {
    out->type = CASE_FILE_COMMAND_DISPATCH;
    const json_object *name = json_need(value, "dispatchable");
    const size_t found = find(reader->dispatchables, name, "dispatchable");
    if (found == SIZE_MAX)
        return;
    out->dispatchable = &reader->file->dispatchables[found];
    const json_object *bindings = json_need(value, "bindings");
    if (!json_expect(bindings, json_type_object))
        return;
    case_file_operator *op = &out->dispatchable->op;
    read_binding(reader, bindings, "InputTensor", out->dispatchable, &op->input, &out->input);
    if (json_ok(value))
        read_binding(reader, bindings, "OutputTensor", out->dispatchable, &op->output,
                     &out->output);
    if (json_ok(value))
        check_expected(value, out);
}

void case_file_read_command(case_reader *reader, const json_object *value, case_file_command *out) {
    static const struct {
        const char *name;
        void (*read)(case_reader *, const json_object *, case_file_command *);
    } commands[] = {
        {"dispatch", read_dispatch}, {"print", read_print}, {"writeFile", read_write_file}};
    if (!json_expect(value, json_type_object))
        return;
    const json_object *type = json_need(value, "type");
    const char *text = json_string(type);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcasecmp(text, commands[i].name) == 0) {
            commands[i].read(reader, value, out);
            return;
        }
    }
    json_fail(type, TOOL_MALFORMED,
              "a command of type \"%.63s\" is not supported: dispatch, print and writeFile are",
              text);
}
