/* SPDX-License-Identifier: MIT */
/* Finds the recorded output of a dispatch, and checks that it fits. */
#include "recorded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "executor.h"
#include "memory.h"

static bool is_resource(const actual_file *file, const char *name) {
    return strlen(name) == file->resource_length &&
           !memcmp(name, file->text, file->resource_length);
}

/* Each option must name an output of the case file, and none twice. */
static tool_status check_names(const actual_files *files, const case_file *file,
                               tool_error *error) {
    for (size_t i = 0; i < files->count; i++) {
        const actual_file *actual = &files->list[i];
        bool known = false;
        for (size_t k = 0; k < file->resource_count; k++) {
            known = known || (is_resource(actual, file->resources[k].name) &&
                              last_writer(file, &file->resources[k], file->command_count));
        }
        for (size_t k = 0; k < i; k++) {
            if (files->list[k].resource_length == actual->resource_length &&
                !memcmp(files->list[k].text, actual->text, actual->resource_length)) {
                return tool_fail(error, TOOL_MALFORMED, "option --actual: '%.*s' is given twice",
                                 (int)actual->resource_length, actual->text);
            }
        }
        if (!known) {
            return tool_fail(error, TOOL_MALFORMED,
                             "option --actual: '%.*s' is not an output of a dispatch of %s",
                             (int)actual->resource_length, actual->text, file->path);
        }
    }
    return TOOL_OK;
}

tool_status recordings_read(recordings *r, const actual_files *files, const case_file *file,
                            tool_error *error) {
    *r = (recordings){files, tool_calloc(files->count, sizeof *r->arrays)};
    tool_status status = check_names(files, file, error);
    for (size_t i = 0; i < files->count && status == TOOL_OK; i++)
        status = npy_read_as(files->list[i].path, CUMSUM_DATA_TYPE_UNKNOWN, &r->arrays[i], error);
    return status;
}

void recordings_free(recordings *r) {
    for (size_t i = 0; i < r->files->count; i++)
        npy_free(&r->arrays[i]);
    free(r->arrays);
}

/* The case file's operator with another place for its output. */
static void set_layout(recorded_output *out, const case_file_command *command,
                       const uint32_t *strides, const unsigned char *first, uint64_t size) {
    out->desc = command->dispatchable->op.desc;
    out->buffer = *(const cumsum_buffer_tensor_desc *)out->desc.output_tensor->desc;
    out->tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &out->buffer};
    out->desc.output_tensor = &out->tensor;
    if (strides) {
        memcpy(out->strides, strides, out->buffer.dimension_count * sizeof *strides);
        out->buffer.strides = out->strides;
        out->buffer.total_tensor_size_in_bytes = whole_words(size);
    }
    /* The alignment is a promise about the device's memory, not about a copy of it. */
    out->buffer.guaranteed_base_offset_alignment = 0;
    out->judged = (judged_output){.desc = &out->desc,
                                  .input = binding_bytes(&command->input),
                                  .input_in_bytes = command->input.size,
                                  .output = first,
                                  .output_in_bytes = size,
                                  .tensor = layout_of(&out->buffer)};
}

static bool has_output_shape(const npy_array *array, const cumsum_buffer_tensor_desc *output) {
    return array->rank == output->dimension_count &&
           !memcmp(array->sizes, output->sizes, array->rank * sizeof *array->sizes);
}

/* A file holds the output tensor in its own shape, or the whole buffer as one dimension. */
static tool_status from_array(const npy_array *array, const char *path,
                              const case_file_command *command, recorded_output *out,
                              tool_error *error) {
    const cumsum_buffer_tensor_desc *output = command->dispatchable->op.desc.output_tensor->desc;
    char wanted[LAYOUT_TEXT];
    char given[LAYOUT_TEXT];
    layout_sizes_text(wanted, output->dimension_count, output->sizes);
    layout_sizes_text(given, array->rank, array->sizes);
    if (array->type != output->data_type) {
        return tool_fail(error, TOOL_MALFORMED, "%s: the type is %s; the output of '%s' is %s",
                         path, cumsum_data_type_name(array->type), command->dispatchable->name,
                         cumsum_data_type_name(output->data_type));
    }
    if (has_output_shape(array, output) &&
        cumsum_output_may_overlap(&command->dispatchable->op.desc)) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: output elements of '%s' may share an address; the rule: the whole "
                         "buffer, in one dimension",
                         path, command->dispatchable->name);
    }
    if (has_output_shape(array, output)) {
        set_layout(out, command, array->strides, array->bytes, array->size);
        return TOOL_OK;
    }
    uint64_t needed = command->output.offset + layout_of(output).extent_in_bytes;
    if (array->rank != 1 || array->size < needed) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: the shape is %s; the rule: %s, or the whole buffer of at least "
                         "%" PRIu64 " elements in one dimension",
                         path, given, wanted, needed / cumsum_data_type_size(array->type));
    }
    set_layout(out, command, NULL, array->bytes + command->output.offset,
               array->size - command->output.offset);
    return TOOL_OK;
}

/* Reading the case file has checked that the expected resource covers the output. */
static void from_resource(const case_file_command *command, recorded_output *out) {
    const case_file_resource *expected = command->output.resource->expected;
    set_layout(out, command, NULL, expected->bytes + command->output.offset,
               expected->size - command->output.offset);
}

tool_status recordings_find(const recordings *r, const case_file_command *command,
                            recorded_output *out, bool *found, tool_error *error) {
    const case_file_resource *resource = command->output.resource;
    *found = true;
    for (size_t i = 0; i < r->files->count; i++)
        if (is_resource(&r->files->list[i], resource->name))
            return from_array(&r->arrays[i], r->files->list[i].path, command, out, error);
    if (resource->expected && !r->files->count) {
        from_resource(command, out);
        return TOOL_OK;
    }
    *found = false;
    return TOOL_OK;
}
