/* SPDX-License-Identifier: MIT */
/* Reads the commands of a case file: dispatch with its bindings, print and writeFile. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "case_file_reader.h"
#include "file.h"
#include "layout.h"
#include "memory_limit.h"
#include "text.h"

static tool_status find_resource(case_reader *reader, const json_value *name,
                                 case_file_resource **out) {
    const char *text;
    void *resource;
    tool_status status = json_to_string(name, &text, reader->error);
    if (status != TOOL_OK)
        return status;
    if (json_attached(&reader->resources, text, &resource)) {
        *out = resource;
        return TOOL_OK;
    }
    char shown[96];
    return json_fail(name, reader->error, TOOL_MALFORMED, "there is no resource named \"%s\"",
                     text_printable(shown, sizeof shown, text, strlen(text)));
}

static tool_status read_resource(case_reader *reader, const json_value *value,
                                 case_file_command *out) {
    json_value name;
    tool_status status = json_need(value, "resource", &name, reader->error);
    return status == TOOL_OK ? find_resource(reader, &name, &out->resource) : status;
}

static tool_status read_print(case_reader *reader, const json_value *value,
                              case_file_command *out) {
    json_value verbose;
    out->type = CASE_FILE_COMMAND_PRINT;
    tool_status status = read_resource(reader, value, out);
    if (status == TOOL_OK && json_member(value, "verbose", &verbose))
        status = json_to_bool(&verbose, &out->verbose, reader->error);
    return status;
}

/* The dimensions must fit in the resource. */
static tool_status check_dimensions(const case_reader *reader, const json_value *dimensions,
                                    const case_file_command *command) {
    uint64_t size = cumsum_data_type_size(command->resource->type);
    if (command->dimension_count > CUMSUM_MAX_DIMENSIONS) {
        return json_fail(dimensions, reader->error, TOOL_MALFORMED,
                         "there are %" PRIu32 " dimensions: at most 8 are supported",
                         command->dimension_count);
    }
    for (uint32_t i = 0; i < command->dimension_count; i++) {
        json_value element = json_element(dimensions, i);
        uint32_t n = command->dimensions[i];
        if (n == 0)
            return json_fail(&element, reader->error, TOOL_MALFORMED, "a dimension may not be 0");
        if (size > command->resource->size / n) {
            return json_fail(dimensions, reader->error, TOOL_MALFORMED,
                             "the dimensions need more bytes than the %" PRIu64
                             " of the resource %.100s",
                             command->resource->size, command->resource->name);
        }
        size *= n;
    }
    return TOOL_OK;
}

static tool_status read_dimensions(case_reader *reader, const json_value *value,
                                   case_file_command *out) {
    json_value array;
    if (!json_member(value, "dimensions", &array) || !array.object)
        return TOOL_OK;
    if (json_type_of(&array) != json_type_array)
        return json_fail_type(&array, reader->error, "an array of UINT32");
    size_t count = json_object_array_length(array.object);
    if (count == 0)
        return TOOL_OK;
    out->dimensions = calloc(count, sizeof *out->dimensions);
    if (!out->dimensions)
        return json_fail_memory(&array, reader->error);
    out->dimension_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        json_value element = json_element(&array, i);
        uint64_t number;
        tool_status status =
            json_to_integer(&element, "UINT32", 0, UINT32_MAX, &number, reader->error);
        if (status != TOOL_OK)
            return status;
        out->dimensions[i] = (uint32_t)number;
    }
    return check_dimensions(reader, &array, out);
}

static tool_status read_write_file(case_reader *reader, const json_value *value,
                                   case_file_command *out) {
    json_value path;
    const char *text;
    out->type = CASE_FILE_COMMAND_WRITE_FILE;
    tool_status status = read_resource(reader, value, out);
    if (status == TOOL_OK)
        status = json_need(value, "targetPath", &path, reader->error);
    if (status == TOOL_OK)
        status = json_to_string(&path, &text, reader->error);
    if (status != TOOL_OK)
        return status;
    if (text[0] == '\0')
        return json_fail(&path, reader->error, TOOL_MALFORMED, "a path may not be empty");
    out->target_path = file_join(reader->folder, text);
    if (!out->target_path)
        return json_fail_memory(&path, reader->error);
    return read_dimensions(reader, value, out);
}

/* D3D12's least alignment of a binding (DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT), and where its buffers
 * start (D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT). */
#define MINIMUM_ALIGNMENT 16
#define MOST_ALIGNMENT    65536

static tool_status find_dispatchable(case_reader *reader, const json_value *command,
                                     case_file_dispatchable **out) {
    json_value name;
    void *dispatchable;
    const char *text;
    tool_status status = json_need(command, "dispatchable", &name, reader->error);
    if (status == TOOL_OK)
        status = json_to_string(&name, &text, reader->error);
    if (status != TOOL_OK)
        return status;
    if (json_attached(&reader->dispatchables, text, &dispatchable)) {
        *out = dispatchable;
        return TOOL_OK;
    }
    char shown[96];
    return json_fail(&name, reader->error, TOOL_MALFORMED, "there is no dispatchable named \"%s\"",
                     text_printable(shown, sizeof shown, text, strlen(text)));
}

/* The members of a binding. */
typedef struct element_range {
    uint64_t offset;
    uint64_t count;
    uint64_t size; /* bytes of an element */
} element_range;

static tool_status read_range(case_reader *reader, const json_value *value, element_range *out) {
    tool_status status = json_optional_uint64(value, "elementOffset", &out->offset, reader->error);
    if (status == TOOL_OK)
        status = json_optional_uint64(value, "elementCount", &out->count, reader->error);
    if (status == TOOL_OK)
        status = json_optional_uint64(value, "elementSizeInBytes", &out->size, reader->error);
    if (status == TOOL_OK && out->offset > 0 && out->size == 0) {
        status = json_fail(value, reader->error, TOOL_MALFORMED,
                           "an elementOffset needs an elementSizeInBytes");
    }
    return status;
}

/* The range extends from the offset to the end of the resource; elementCount elements must fit in
 * it. */
static tool_status place_range(case_reader *reader, const json_value *value,
                               const element_range *range, case_file_binding *out) {
    uint64_t whole = out->resource->size;
    uint64_t bytes;
    if (__builtin_mul_overflow(range->offset, range->size, &out->offset) || out->offset >= whole ||
        __builtin_mul_overflow(range->count, range->size, &bytes) || bytes > whole - out->offset) {
        return json_fail(value, reader->error, TOOL_MALFORMED,
                         "elementCount %" PRIu64 " from elementOffset %" PRIu64 " of %" PRIu64
                         " bytes each does not lie in the resource %.100s of %" PRIu64 " bytes",
                         range->count, range->offset, range->size, out->resource->name, whole);
    }
    out->size = whole - out->offset;
    return TOOL_OK;
}

static tool_status read_source(case_reader *reader, const json_value *value,
                               case_file_binding *out) {
    json_value name = *value;
    element_range range = {0, 0, 0};
    tool_status status = TOOL_OK;
    if (json_type_of(value) == json_type_object) {
        status = json_need(value, "name", &name, reader->error);
        if (status == TOOL_OK)
            status = read_range(reader, value, &range);
    } else if (json_type_of(value) != json_type_string) {
        return json_fail_type(value, reader->error, "the name of a resource, or an object");
    }
    if (status == TOOL_OK)
        status = find_resource(reader, &name, &out->resource);
    return status == TOOL_OK ? place_range(reader, value, &range, out) : status;
}

static tool_status check_alignment(const case_reader *reader, const json_value *value,
                                   const case_file_tensor *tensor,
                                   const case_file_binding *binding) {
    uint64_t alignment = tensor->buffer.guaranteed_base_offset_alignment;
    alignment = alignment > MINIMUM_ALIGNMENT ? alignment : MINIMUM_ALIGNMENT;
    if (binding->offset % alignment != 0) {
        return json_fail(value, reader->error, TOOL_MALFORMED,
                         "the offset of %" PRIu64 " bytes must be a multiple of %" PRIu64
                         ": of 16 and of GuaranteedBaseOffsetAlignment",
                         binding->offset, alignment);
    }
    if (alignment > MOST_ALIGNMENT) {
        return json_fail(value, reader->error, TOOL_MALFORMED,
                         "GuaranteedBaseOffsetAlignment is %" PRIu64
                         ": a resource starts at a multiple of %d bytes, and of no more",
                         alignment, MOST_ALIGNMENT);
    }
    return TOOL_OK;
}

/* Moves the resource to where the tensor's alignment wants it. An alignment that is no power of two
 * is left to validation. */
static tool_status align_resource(case_reader *reader, const json_value *value,
                                  const case_file_tensor *tensor, case_file_resource *resource) {
    const uint32_t alignment = tensor->buffer.guaranteed_base_offset_alignment;
    if ((alignment & (alignment - 1)) || (uintptr_t)resource->bytes % (alignment + !alignment) == 0)
        return TOOL_OK;
    void *moved = reader->memory + alignment <= memory_limit()
                      ? memory_allocate_aligned(resource->size, alignment)
                      : NULL;
    if (!moved) {
        return json_fail(value, reader->error, TOOL_ENVIRONMENT,
                         "no memory for %" PRIu64 " bytes at a multiple of %" PRIu32,
                         resource->size, alignment);
    }
    memcpy(moved, resource->bytes, resource->size);
    memory_release(resource->bytes);
    resource->bytes = moved;
    reader->memory += alignment;
    return TOOL_OK;
}

/* Skips invalid operators: they are rejected before their bindings matter. */
static tool_status check_room(const case_reader *reader, const json_value *value,
                              const case_file_dispatchable *dispatchable,
                              const case_file_tensor *tensor, const case_file_binding *binding) {
    uint64_t needed = tensor->buffer.total_tensor_size_in_bytes;
    if (binding->size < needed &&
        cumsum_validate(&dispatchable->op.desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL) == CUMSUM_OK) {
        return json_fail(value, reader->error, TOOL_MALFORMED,
                         "the resource %.100s has %" PRIu64
                         " bytes from here: TotalTensorSizeInBytes is %" PRIu64,
                         binding->resource->name, binding->size, needed);
    }
    return TOOL_OK;
}

static tool_status read_binding(case_reader *reader, const json_value *bindings, const char *name,
                                const case_file_dispatchable *dispatchable,
                                const case_file_tensor *tensor, case_file_binding *out) {
    json_value value;
    json_value element;
    const json_value *source = &value;
    tool_status status = json_need(bindings, name, &value, reader->error);
    if (status == TOOL_OK && json_type_of(&value) == json_type_array) {
        if (json_object_array_length(value.object) != 1) {
            return json_fail(&value, reader->error, TOOL_MALFORMED,
                             "exactly one resource is bound to %s", name);
        }
        element = json_element(&value, 0);
        source = &element;
    }
    if (status == TOOL_OK)
        status = read_source(reader, source, out);
    if (status == TOOL_OK)
        status = check_alignment(reader, source, tensor, out);
    if (status == TOOL_OK)
        status = check_room(reader, source, dispatchable, tensor, out);
    return status == TOOL_OK ? align_resource(reader, source, tensor, out->resource) : status;
}

/* The expected contents must reach as far as the elements of the output tensor. */
static tool_status check_expected(case_reader *reader, const json_value *value,
                                  const case_file_command *command) {
    const case_file_resource *expected = command->output.resource->expected;
    if (!expected || cumsum_validate(&command->dispatchable->op.desc, CUMSUM_FEATURE_LEVEL_DEFAULT,
                                     NULL) != CUMSUM_OK)
        return TOOL_OK;
    const uint64_t needed = layout_of(&command->dispatchable->op.output.buffer).extent_in_bytes;
    if (expected->size < command->output.offset ||
        expected->size - command->output.offset < needed) {
        return json_fail(value, reader->error, TOOL_MALFORMED,
                         "the resource %.100s has %" PRIu64
                         " bytes: the output tensor, from offset %" PRIu64 ", has %" PRIu64,
                         expected->name, expected->size, command->output.offset, needed);
    }
    return TOOL_OK;
}

static tool_status read_dispatch(case_reader *reader, const json_value *value,
                                 case_file_command *out) {
    json_value bindings;
    out->type = CASE_FILE_COMMAND_DISPATCH;
    tool_status status = find_dispatchable(reader, value, &out->dispatchable);
    if (status == TOOL_OK)
        status = json_need_type(value, "bindings", json_type_object, &bindings, reader->error);
    if (status == TOOL_OK) {
        status = read_binding(reader, &bindings, "InputTensor", out->dispatchable,
                              &out->dispatchable->op.input, &out->input);
    }
    if (status == TOOL_OK) {
        status = read_binding(reader, &bindings, "OutputTensor", out->dispatchable,
                              &out->dispatchable->op.output, &out->output);
    }
    return status == TOOL_OK ? check_expected(reader, value, out) : status;
}

tool_status case_file_read_command(case_reader *reader, const json_value *value,
                                   case_file_command *out) {
    static const struct {
        const char *name;
        tool_status (*read)(case_reader *, const json_value *, case_file_command *);
    } commands[] = {
        {"dispatch", read_dispatch}, {"print", read_print}, {"writeFile", read_write_file}};
    json_value type;
    const char *text;
    if (json_type_of(value) != json_type_object)
        return json_fail_type(value, reader->error, "an object");
    tool_status status = json_need(value, "type", &type, reader->error);
    if (status == TOOL_OK)
        status = json_to_string(&type, &text, reader->error);
    if (status != TOOL_OK)
        return status;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcasecmp(text, commands[i].name) == 0)
            return commands[i].read(reader, value, out);
    char shown[64];
    return json_fail(&type, reader->error, TOOL_MALFORMED,
                     "a command of type \"%s\" is not supported: dispatch, print and writeFile are",
                     text_printable(shown, sizeof shown, text, strlen(text)));
}
