/* SPDX-License-Identifier: MIT */
/* Takes cases of the suite and dispatches of case files as cases with data of their own. */
#include "sweep_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executor.h"
#include "file.h"
#include "layout.h"
#include "memory.h"
#include "npy.h"

/* Copies the elements of a tensor into row-major order. */
static void take_values(const cumsum_buffer_tensor_desc *tensor, const unsigned char *first,
                        shrink_case *out) {
    const layout input = layout_of(tensor);
    out->count = input.count;
    out->element_size = input.element_size;
    out->values = tool_malloc(input.count * input.element_size);
    layout_gather(&input, first, out->values);
}

tool_status source_named(const char *name, shrink_case *out, tool_error *error) {
    suite_case c;
    tool_status status = case_init_unsummed(&c, name, error);
    if (status == TOOL_OK) {
        *out = (shrink_case){.spec = c.spec};
        take_values(&c.descriptor.input_buffer, case_first(c.input, &c.spec.input), out);
        case_free(&c);
    }
    return status;
}

/* Members without effect become 0, as in the names of cases. */
static cumsum_numerics canonical(cumsum_data_type type, cumsum_numerics numerics) {
    bool exact = numerics.order == CUMSUM_ORDER_EXACT;
    if (type == CUMSUM_DATA_TYPE_FLOAT32)
        return (cumsum_numerics){.order = numerics.order, .denormals = numerics.denormals};
    if (type != CUMSUM_DATA_TYPE_FLOAT16 || exact) {
        return (cumsum_numerics){.order = exact && type == CUMSUM_DATA_TYPE_FLOAT16
                                              ? CUMSUM_ORDER_EXACT
                                              : CUMSUM_ORDER_SEQUENTIAL};
    }
    numerics.denormals = CUMSUM_DENORMALS_PRESERVE;
    if (numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16)
        numerics.half_store = CUMSUM_HALF_STORE_NEAREST_EVEN;
    return numerics;
}

static case_tensor case_tensor_of(const cumsum_buffer_tensor_desc *buffer, uint64_t offset) {
    case_tensor tensor = {.strided = buffer->strides != NULL, .offset = (uint32_t)offset};
    if (buffer->strides)
        memcpy(tensor.strides, buffer->strides, buffer->dimension_count * sizeof *buffer->strides);
    return tensor;
}

static tool_status take_dispatch(const case_file *m, const case_file_command *command,
                                 const backend_settings *backend, shrink_case *out,
                                 tool_error *error) {
    const case_file_operator *op = &command->dispatchable->op;
    const cumsum_buffer_tensor_desc *input = &op->input.buffer;
    if (command->input.offset > UINT32_MAX || command->output.offset > UINT32_MAX) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: dispatch of '%.100s': an offset of 4 GiB or more cannot be "
                         "minimized",
                         m->path, command->dispatchable->name);
    }
    *out = (shrink_case){0};
    case_spec *spec = &out->spec;
    spec->type = input->data_type;
    spec->numerics =
        canonical(spec->type, backend_numerics(backend, command->dispatchable->numerics));
    spec->decreasing = op->desc.axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    spec->exclusive = op->desc.has_exclusive_sum;
    spec->rank = input->dimension_count;
    memcpy(spec->sizes, input->sizes, spec->rank * sizeof *spec->sizes);
    spec->axis = op->desc.axis;
    spec->in_place = input_overlaps_output(command, command);
    spec->input = case_tensor_of(input, command->input.offset);
    spec->output =
        spec->in_place ? spec->input : case_tensor_of(&op->output.buffer, command->output.offset);
    spec->data =
        distribution_find("ones", strlen("ones")); /* without effect, but a name needs one */
    take_values(input, binding_bytes(&command->input), out);
    return TOOL_OK;
}

bool source_is_file(const char *name) {
    char path[CASE_NAME_ROOM];
    snprintf(path, sizeof path, "%.*s", (int)strcspn(name, "#"), name);
    return file_has_extension(path, ".json") || npy_is_path(path);
}

static size_t count_dispatches(const case_file *file) {
    size_t count = 0;
    for (size_t i = 0; i < file->command_count; i++)
        count += file->commands[i].type == CASE_FILE_COMMAND_DISPATCH;
    return count;
}

/* Operators of types that DirectML does not have are for processes, whatever its rules are. */
static tool_status check_operators(const case_file *file, tool_error *error) {
    const cumsum_data_type type = file->dispatchable_count
                                      ? file->dispatchables[0].op.input.buffer.data_type
                                      : CUMSUM_DATA_TYPE_UNKNOWN;
    const bool other = word_of(element_words, (int)type) && !word_of(type_words, (int)type);
    return other ? TOOL_OK : executor_check_case_file(file, error);
}

tool_status source_dispatches(const case_file *file, const backend_settings *backend,
                              source_taker *take, void *state, const bool *stop,
                              tool_error *error) {
    const size_t count = count_dispatches(file);
    const executor cpu = {.settings = backend};
    size_t number = 0;
    tool_status status = check_operators(file, error);
    for (size_t i = 0; i < file->command_count && status == TOOL_OK && !(stop && *stop); i++) {
        const case_file_command *command = &file->commands[i];
        char name[CASE_NAME_ROOM];
        shrink_case taken;
        if (command->type != CASE_FILE_COMMAND_DISPATCH)
            continue;
        number++;
        snprintf(name, sizeof name, count > 1 ? "%.400s#%zu" : "%.400s", file->path, number);
        status = take_dispatch(file, command, backend, &taken, error);
        if (status == TOOL_OK)
            status = take(state, name, &taken, error);
        if (status == TOOL_OK && number < count && !(stop && *stop))
            status = executor_dispatch(&cpu, file, command, NULL, NULL, error);
    }
    return status;
}
