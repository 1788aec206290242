/* SPDX-License-Identifier: MIT */
/* Reads a dispatchable: the descriptor, execution flags and numerics. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "case_file_reader.h"
#include "text.h"

/* Only the cumulative summation is supported. */
static tool_status check_type(const json_value *type, tool_error *error) {
    static const char prefix[] = "DML_OPERATOR_";
    const char *text;
    tool_status status = json_to_string(type, &text, error);
    if (status != TOOL_OK)
        return status;
    bool prefixed = strncasecmp(text, prefix, sizeof prefix - 1) == 0;
    if (strcasecmp(prefixed ? text + sizeof prefix - 1 : text, "CUMULATIVE_SUMMATION") == 0)
        return TOOL_OK;
    char shown[64];
    return json_fail(type, error, TOOL_MALFORMED,
                     "a dispatchable of type \"%s\" is not supported: only "
                     "DML_OPERATOR_CUMULATIVE_SUMMATION is",
                     text_printable(shown, sizeof shown, text, strlen(text)));
}

/* A BOOL: true, false, or an integer, where 0 is false. */
static tool_status read_exclusive(const json_value *desc, int32_t *out, tool_error *error) {
    json_value member;
    uint64_t number = 0;
    tool_status status = json_need(desc, "HasExclusiveSum", &member, error);
    if (status != TOOL_OK)
        return status;
    if (json_type_of(&member) == json_type_boolean) {
        *out = json_object_get_boolean(member.object);
        return TOOL_OK;
    }
    status = json_to_integer(&member, "true, false, or in their place INT32", INT32_MIN, UINT32_MAX,
                             &number, error);
    *out = (int32_t)(uint32_t)number;
    return status;
}

static tool_status read_axis(const json_value *desc, cumsum_operator_desc *out, tool_error *error) {
    json_value member;
    uint64_t axis = 0;
    uint32_t direction = 0;
    tool_status status = json_need(desc, "Axis", &member, error);
    if (status == TOOL_OK)
        status = json_to_integer(&member, "UINT32", 0, UINT32_MAX, &axis, error);
    if (status == TOOL_OK)
        status = json_need(desc, "AxisDirection", &member, error);
    if (status == TOOL_OK)
        status = case_file_to_enum(&member, &case_file_axis_directions, &direction, error);
    out->axis = (uint32_t)axis;
    out->axis_direction = (cumsum_axis_direction)direction;
    return status;
}

static tool_status read_desc(const json_value *desc, case_file_zero_size zero_size,
                             case_file_operator *out, tool_error *error) {
    if (json_type_of(desc) != json_type_object)
        return json_fail_type(desc, error, "an object");
    tool_status status = case_file_read_tensor(desc, "InputTensor", zero_size, &out->input, error);
    if (status == TOOL_OK)
        status = case_file_read_tensor(desc, "OutputTensor", zero_size, &out->output, error);
    if (status == TOOL_OK)
        status = read_axis(desc, &out->desc, error);
    if (status == TOOL_OK)
        status = read_exclusive(desc, &out->desc.has_exclusive_sum, error);
    out->desc.input_tensor = out->input.present ? &out->input.desc : NULL;
    out->desc.output_tensor = out->output.present ? &out->output.desc : NULL;
    return status;
}

tool_status case_file_read_operator(const json_value *holder, case_file_zero_size zero_size,
                                    case_file_operator *out, tool_error *error) {
    json_value member;
    tool_status status = TOOL_OK;
    if (json_member(holder, "Type", &member) || json_member(holder, "type", &member))
        status = check_type(&member, error);
    if (status != TOOL_OK)
        return status;
    bool nested = json_member(holder, "Desc", &member) || json_member(holder, "desc", &member);
    return read_desc(nested ? &member : holder, zero_size, out, error);
}

void case_file_free_operator(case_file_operator *op) {
    free(op->input.sizes);
    free(op->input.strides);
    free(op->output.sizes);
    free(op->output.strides);
}

tool_status case_file_read_execution_flags(const json_value *holder, uint32_t *out,
                                           tool_error *error) {
    json_value member;
    *out = 0;
    if (!json_member(holder, "executionFlags", &member) || !member.object)
        return TOOL_OK;
    return case_file_to_flags(&member, &case_file_execution_flags, out, error);
}

static tool_status read_choice(const json_value *numerics, const char *name,
                               const case_file_enum *names, uint32_t *out, tool_error *error) {
    json_value member;
    *out = 0; /* the default of each of them */
    if (!json_member(numerics, name, &member) || !member.object)
        return TOOL_OK;
    return case_file_to_name(&member, names, out, error);
}

static tool_status read_numerics(const json_value *dispatchable, case_file_dispatchable *out,
                                 tool_error *error) {
    static const struct {
        const char *name;
        const case_file_enum *names;
    } choices[4] = {{"order", &case_file_orders},
                    {"halfAccumulator", &case_file_half_accumulators},
                    {"halfStore", &case_file_half_stores},
                    {"denormals", &case_file_denormals}};
    json_value numerics;
    uint32_t chosen[4];
    if (!json_member(dispatchable, "numerics", &numerics))
        return TOOL_OK;
    if (json_type_of(&numerics) != json_type_object)
        return json_fail_type(&numerics, error, "an object");
    for (size_t i = 0; i < 4; i++) {
        tool_status status =
            read_choice(&numerics, choices[i].name, choices[i].names, &chosen[i], error);
        if (status != TOOL_OK)
            return status;
    }
    out->has_numerics = true;
    out->numerics = (cumsum_numerics){(cumsum_order)chosen[0], (cumsum_half_accumulator)chosen[1],
                                      (cumsum_half_store)chosen[2], (cumsum_denormals)chosen[3]};
    return TOOL_OK;
}

tool_status case_file_read_dispatchable(case_reader *reader, const json_value *value,
                                        case_file_dispatchable *out) {
    json_value type;
    tool_error *error = reader->error;
    if (json_type_of(value) != json_type_object)
        return json_fail_type(value, error, "an object");
    out->name = strdup(value->name);
    if (!out->name)
        return json_fail_memory(value, error);
    tool_status status = TOOL_OK;
    if (!json_member(value, "Type", &type))
        status = json_need(value, "type", &type, error);
    if (status == TOOL_OK)
        status = case_file_read_operator(value, CASE_FILE_ZERO_SIZE_COMPUTED, &out->op, error);
    if (status == TOOL_OK)
        status = case_file_read_execution_flags(value, &out->execution_flags, error);
    return status == TOOL_OK ? read_numerics(value, out, error) : status;
}
