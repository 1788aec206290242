/* SPDX-License-Identifier: MIT */
/* Reads a dispatchable: the descriptor, execution flags and numerics. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "case_file_reader.h"
#include "memory.h"
#include "text.h"

/* Only the cumulative summation is supported. */
static void check_type(const json_value *type) {
    static const char prefix[] = "DML_OPERATOR_";
    const char *text = json_string(*type);
    bool prefixed = strncasecmp(text, prefix, sizeof prefix - 1) == 0;
    if (strcasecmp(prefixed ? text + sizeof prefix - 1 : text, "CUMULATIVE_SUMMATION") == 0)
        return;
    char shown[64];
    json_fail(type, TOOL_MALFORMED,
              "a dispatchable of type \"%s\" is not supported: only "
              "DML_OPERATOR_CUMULATIVE_SUMMATION is",
              text_printable(shown, sizeof shown, text, strlen(text)));
}

/* A BOOL: true, false, or an integer, where 0 is false. */
static int32_t read_bool(json_value value) {
    return json_type_of(&value) == json_type_boolean
               ? json_flag(value)
               : (int32_t)json_integer(value, "true, false, or in their place INT32", INT32_MIN,
                                       UINT32_MAX);
}

static void read_desc(const json_value *desc, case_file_zero_size zero_size,
                      case_file_operator *out) {
    if (!json_expect(desc, json_type_object))
        return;
    case_file_read_tensor(desc, "InputTensor", zero_size, &out->input);
    case_file_read_tensor(desc, "OutputTensor", zero_size, &out->output);
    out->desc.axis = (uint32_t)json_integer(json_need(desc, "Axis"), "UINT32", 0, UINT32_MAX);
    out->desc.axis_direction = (cumsum_axis_direction)case_file_to_enum(
        json_need(desc, "AxisDirection"), &case_file_axis_directions);
    out->desc.has_exclusive_sum = read_bool(json_need(desc, "HasExclusiveSum"));
    out->desc.input_tensor = out->input.present ? &out->input.desc : NULL;
    out->desc.output_tensor = out->output.present ? &out->output.desc : NULL;
}

void case_file_read_operator(const json_value *holder, case_file_zero_size zero_size,
                             case_file_operator *out) {
    json_value member;
    if (json_member(holder, "Type", &member) || json_member(holder, "type", &member))
        check_type(&member);
    bool nested = json_member(holder, "Desc", &member) || json_member(holder, "desc", &member);
    read_desc(nested ? &member : holder, zero_size, out);
}

void case_file_free_operator(case_file_operator *op) {
    free(op->input.sizes);
    free(op->input.strides);
    free(op->output.sizes);
    free(op->output.strides);
}

uint32_t case_file_read_execution_flags(const json_value *holder) {
    json_value member;
    return json_optional(holder, "executionFlags", &member)
               ? case_file_to_flags(&member, &case_file_execution_flags)
               : 0;
}

/* 0 is the default of each choice. */
static int read_choice(const json_value *numerics, const char *name, const case_file_enum *names) {
    json_value member;
    return json_optional(numerics, name, &member) ? (int)case_file_to_name(&member, names) : 0;
}

static void read_numerics(const json_value *dispatchable, case_file_dispatchable *out) {
    json_value from;
    if (!json_member(dispatchable, "numerics", &from) || !json_expect(&from, json_type_object))
        return;
    out->has_numerics = true;
    cumsum_numerics *to = &out->numerics;
    to->order = (cumsum_order)read_choice(&from, "order", &case_file_orders);
    to->half_accumulator = (cumsum_half_accumulator)read_choice(&from, "halfAccumulator",
                                                                &case_file_half_accumulators);
    to->half_store = (cumsum_half_store)read_choice(&from, "halfStore", &case_file_half_stores);
    to->denormals = (cumsum_denormals)read_choice(&from, "denormals", &case_file_denormals);
}

void case_file_read_dispatchable(const json_value *value, case_file_dispatchable *out) {
    json_value type;
    if (!json_expect(value, json_type_object))
        return;
    out->name = tool_strdup(value->name);
    if (!json_member(value, "Type", &type))
        json_need(value, "type");
    case_file_read_operator(value, CASE_FILE_ZERO_SIZE_COMPUTED, &out->op);
    out->execution_flags = case_file_read_execution_flags(value);
    read_numerics(value, out);
}
