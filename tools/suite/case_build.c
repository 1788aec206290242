/* SPDX-License-Identifier: MIT */
/* Makes the buffers of a case: layout, data, gaps, and the expected output by the reference. */
#include "case_build.h"

#include <string.h>

#include "distribution.h"
#include "layout.h"
#include "memory_limit.h"
#include "word_table.h"

static uint64_t buffer_size(const case_tensor *tensor, const cumsum_buffer_tensor_desc *buffer) {
    return tensor->offset + buffer->total_tensor_size_in_bytes;
}

/* size is a multiple of 4 bytes, and of 8 bytes for types of that size, so that it is a number of
 * whole elements. */
static unsigned char *make_buffer(cumsum_data_type type, uint64_t gap, uint64_t size) {
    unsigned char *bytes = memory_allocate(size);
    if (bytes)
        case_fill_gap(type, gap, bytes, size / cumsum_data_type_size(type));
    return bytes;
}

/* A packed input has no gaps, which need not be filled then. */
static unsigned char *make_input(const suite_case *c) {
    cumsum_data_type type = c->spec.type;
    layout tensor = layout_of(&c->descriptor.input_buffer);
    bool packed = !c->spec.input.strided && !c->spec.input.offset &&
                  tensor.count * tensor.element_size == c->input_size;
    return packed ? memory_allocate(c->input_size)
                  : make_buffer(type, case_input_gap(type), c->input_size);
}

/* The buffers of the spec's operator but `expected`. TOOL_MALFORMED where DirectML would reject it.
 */
static tool_status make_buffers(suite_case *c, tool_error *error) {
    cumsum_data_type type = c->spec.type;
    cumsum_diagnostic why = {0};
    c->unsummed = c->values && !word_of(type_words, (int)type);
    if (case_describe(&c->spec, &c->descriptor, &why) != CUMSUM_OK && !c->unsummed)
        return tool_fail(error, TOOL_MALFORMED, "%s", why.message);
    c->input_size = buffer_size(&c->spec.input, &c->descriptor.input_buffer);
    c->output_size = buffer_size(&c->spec.output, &c->descriptor.output_buffer);
    tool_status status =
        memory_check(0, c->input_size + (c->spec.in_place ? 0 : c->output_size), error);
    if (status != TOOL_OK)
        return status;
    c->input = make_input(c);
    c->output =
        c->spec.in_place ? c->input : make_buffer(type, case_output_gap(type), c->output_size);
    return c->input && c->output ? TOOL_OK : tool_fail(error, TOOL_ENVIRONMENT, "out of memory");
}

static tool_status sum(suite_case *c, tool_error *error) {
    cumsum_plan *plan;
    cumsum_diagnostic why = {0};
    cumsum_plan_options options = {.numerics = c->spec.numerics, .kernel = CUMSUM_KERNEL_REFERENCE};
    /* A case that was made has buffers. NOLINTNEXTLINE(clang-analyzer-core.*) */
    memcpy(c->expected, c->output, c->output_size);
    if (c->unsummed)
        return TOOL_OK;
    unsigned char *from = c->spec.in_place ? c->expected : c->input;
    cumsum_status status = cumsum_plan_create(&c->descriptor.desc, &options, &plan, &why);
    if (status == CUMSUM_OK) {
        status = cumsum_plan_execute(
            plan, from + c->spec.input.offset, c->input_size - c->spec.input.offset,
            c->expected + c->spec.output.offset, c->output_size - c->spec.output.offset, &why);
        cumsum_plan_destroy(plan);
    }
    const tool_status failed =
        status == CUMSUM_OUT_OF_MEMORY ? TOOL_ENVIRONMENT : TOOL_MALFORMED; /* of given values */
    return status == CUMSUM_OK ? TOOL_OK : tool_fail(error, failed, "%s", why.message);
}

/* The status of making a case, which is freed where it fails. */
static tool_status made(suite_case *c, const char *name, tool_status status,
                        const tool_error *inner, tool_error *error) {
    if (status == TOOL_OK)
        return TOOL_OK;
    case_free(c);
    return tool_fail(error, status, "case %s: %.400s", name, inner->message);
}

tool_status case_expect(suite_case *c, tool_error *error) {
    const uint64_t held = c->input_size + (c->spec.in_place ? 0 : c->output_size);
    tool_status status = memory_check(held, c->output_size, error);
    if (status != TOOL_OK)
        return status;
    c->expected = memory_allocate(c->output_size);
    return c->expected ? sum(c, error) : tool_fail(error, TOOL_ENVIRONMENT, "out of memory");
}

tool_status case_init_unsummed(suite_case *c, const char *name, tool_error *error) {
    tool_error inner;
    *c = (suite_case){0};
    tool_status status = case_parse(name, &c->spec, error);
    if (status != TOOL_OK)
        return status;
    status = draw_missing() ? tool_fail(&inner, TOOL_ENVIRONMENT, "%s", draw_missing())
                            : make_buffers(c, &inner);
    if (status == TOOL_OK)
        status = case_fill(&c->spec, c->input + c->spec.input.offset, &inner);
    return made(c, name, status, &inner, error);
}

tool_status case_init(suite_case *c, const char *name, tool_error *error) {
    tool_error inner;
    const tool_status status = case_init_unsummed(c, name, error);
    return status == TOOL_OK ? made(c, name, case_expect(c, &inner), &inner, error) : status;
}

tool_status case_init_values(suite_case *c, const case_spec *spec, const unsigned char *values,
                             tool_error *error) {
    *c = (suite_case){.spec = *spec, .values = values};
    tool_status status = make_buffers(c, error);
    if (status == TOOL_OK) {
        const layout tensor = layout_of(&c->descriptor.input_buffer);
        case_fill_gap(spec->type, case_input_gap(spec->type), c->input,
                      c->input_size / tensor.element_size);
        layout_scatter(&tensor, values, case_first(c->input, &c->spec.input));
        status = case_expect(c, error);
    }
    if (status != TOOL_OK)
        case_free(c);
    return status;
}

void case_free(suite_case *c) {
    if (c->output != c->input)
        memory_free(c->output);
    memory_free(c->input);
    memory_free(c->expected);
    c->input = c->output = c->expected = NULL;
}
