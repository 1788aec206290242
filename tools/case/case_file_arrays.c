/* SPDX-License-Identifier: MIT */
/* Checks that arrays and an axis fit each other, and makes a case file of one dispatch from them.
 */
#include "case_file.h"

#include <inttypes.h>
#include <string.h>

#include "layout.h"
#include "memory.h"
#include "memory_limit.h"

static uint32_t possible_axes(const npy_array *array) {
    return npy_axes(array->rank, array->complex_parts);
}

static void shape_text(char text[LAYOUT_TEXT], const npy_array *array) {
    layout_sizes_text(text, possible_axes(array), array->sizes);
}

/* The words for the input in a message about both arrays: "the input x.npy". */
#define INPUT(from)                                                                                \
    "the input", (from)->input_path ? " " : "", (from)->input_path ? (from)->input_path : ""

tool_status case_file_check_axis(const char *path, int64_t rank, const char *shape, uint64_t size,
                                 int64_t axis, tool_error *error) {
    if (rank == 0 || size == 0) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: the shape is %s; the rule: 1 to 8 dimensions, none of them 0",
                         path, shape);
    }
    if (axis < -rank || axis >= rank) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: the axis is %" PRId64 "; the rule: %" PRId64 " to %" PRId64
                         ", since the input is of shape %s",
                         path, axis, -rank, rank - 1, shape);
    }
    return TOOL_OK;
}

static tool_status check_input(const case_file_arrays *from, tool_error *error) {
    const char *path = from->input_path ? from->input_path : from->path;
    char shape[LAYOUT_TEXT];
    shape_text(shape, &from->input);
    return case_file_check_axis(path, possible_axes(&from->input), shape, from->input.size,
                                from->axis, error);
}

static tool_status check_expected_array(const case_file_arrays *from, tool_error *error) {
    const npy_array *x = &from->input;
    const npy_array *y = &from->expected;
    char x_shape[LAYOUT_TEXT];
    char y_shape[LAYOUT_TEXT];
    if (x->type != y->type || x->complex_parts != y->complex_parts) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: the output is of type %s, %s%s%.300s of type %s", from->path,
                         npy_type_name(y), INPUT(from), npy_type_name(x));
    }
    if (x->rank == y->rank && !memcmp(x->sizes, y->sizes, x->rank * sizeof *x->sizes))
        return TOOL_OK;
    shape_text(x_shape, x);
    shape_text(y_shape, y);
    return tool_fail(error, TOOL_MALFORMED,
                     "%.400s: the output is of shape %s, %s%s%.300s of shape %s", from->path,
                     y_shape, INPUT(from), x_shape);
}

/* The output before a dispatch is executed: zeros. */
static tool_status make_output(const case_file_arrays *from, npy_array *output, tool_error *error) {
    tool_error why;
    *output = from->expected.bytes ? from->expected : from->input;
    output->fortran_order = from->expected.bytes && from->expected.fortran_order;
    if (memory_check(from->input.size + from->expected.size, output->size, &why) != TOOL_OK)
        return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: its output %s", from->path, why.message);
    output->bytes = from->recorded ? NULL : memory_for(output->size, from->path, error);
    if (!output->bytes)
        return from->recorded ? TOOL_OK : TOOL_ENVIRONMENT;
    memset(output->bytes, 0, (size_t)output->size);
    return TOOL_OK;
}

static uint32_t *copy_numbers(const uint32_t *numbers, uint32_t count) {
    uint32_t *copy = tool_calloc(count, sizeof *copy);
    memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

static void make_tensor(const npy_array *from, case_file_tensor *to) {
    to->sizes = copy_numbers(from->sizes, from->rank);
    to->strides = from->fortran_order ? copy_numbers(from->strides, from->rank) : NULL;
    to->buffer = tensor_of(from->type, from->rank, to->sizes, to->strides);
    to->desc = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &to->buffer};
    to->present = true;
}

static void make_operator(const case_file_arrays *from, const npy_array *output,
                          case_file_operator *op) {
    make_tensor(&from->input, &op->input);
    make_tensor(output, &op->output);
    op->desc = (cumsum_operator_desc){
        .input_tensor = &op->input.desc,
        .output_tensor = &op->output.desc,
        .axis = (uint32_t)(from->axis < 0 ? from->axis + possible_axes(&from->input) : from->axis),
        .axis_direction = direction_of(from->decreasing),
        .has_exclusive_sum = from->exclusive};
}

/* Moves the array's bytes to the resource. memory_allocate leaves room for the last word. */
static case_file_resource *add_resource(case_file *file, const char *name, npy_array *from) {
    case_file_resource *to = &file->resources[file->resource_count++];
    *to = (case_file_resource){.name = tool_strdup(name),
                               .type = from->type,
                               .bytes = from->bytes,
                               .size = whole_words(from->size),
                               .value_bytes = from->size};
    from->bytes = NULL;
    if (to->bytes)
        memset(to->bytes + from->size, 0, (size_t)(to->size - from->size));
    return to;
}

static case_file *make_case_file(case_file_arrays *from, npy_array *output) {
    case_file *file = tool_calloc(1, sizeof *file);
    file->path = tool_strdup(from->path);
    file->complex_parts = from->input.complex_parts;
    file->resources = tool_calloc(3, sizeof *file->resources);
    file->dispatchable_count = file->command_count = 1;
    file->dispatchables = tool_calloc(1, sizeof *file->dispatchables);
    file->commands = tool_calloc(1, sizeof *file->commands);
    file->dispatchables[0].name = tool_strdup(from->name);
    make_operator(from, output, &file->dispatchables[0].op);
    case_file_resource *in = add_resource(file, "input", &from->input);
    case_file_resource *out = add_resource(file, "output", output);
    if (from->expected.bytes)
        out->expected = add_resource(file, "output.expected", &from->expected);
    file->commands[0] = (case_file_command){.type = CASE_FILE_COMMAND_DISPATCH,
                                            .dispatchable = &file->dispatchables[0],
                                            .input = {in, 0, in->size},
                                            .output = {out, 0, out->size}};
    return file;
}

tool_status case_file_of_arrays(case_file_arrays *from, case_file **out, tool_error *error) {
    npy_array output = {0};
    *out = NULL;
    tool_status status = check_input(from, error);
    if (status == TOOL_OK && from->expected.bytes)
        status = check_expected_array(from, error);
    if (status == TOOL_OK)
        status = make_output(from, &output, error);
    if (status == TOOL_OK)
        *out = make_case_file(from, &output);
    return status;
}

void case_file_arrays_free(case_file_arrays *arrays) {
    npy_free(&arrays->input);
    npy_free(&arrays->expected);
}
