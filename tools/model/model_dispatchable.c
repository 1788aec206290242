/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "json_field.h"
#include "model_enum.h"
#include "model_parts.h"

static tool_status read_choice(const json_value *numerics, const char *name,
                               const model_enum *names, uint32_t *out, tool_error *error) {
    json_value member;
    *out = 0; /* the default of each of them */
    if (!json_member(numerics, name, &member) || !member.object)
        return TOOL_OK;
    return model_to_name(&member, names, out, error);
}

static tool_status read_numerics(const json_value *dispatchable, model_dispatchable *out,
                                 tool_error *error) {
    static const struct {
        const char *name;
        const model_enum *names;
    } choices[4] = {{"order", &model_orders},
                    {"halfAccumulator", &model_half_accumulators},
                    {"halfStore", &model_half_stores},
                    {"denormals", &model_denormals}};
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

tool_status model_read_dispatchable(model_reader *reader, const json_value *value,
                                    model_dispatchable *out) {
    json_value type;
    tool_error *error = reader->error;
    if (json_type_of(value) != json_type_object)
        return json_fail_type(value, error, "an object");
    out->name = strdup(value->name);
    if (!out->name)
        return model_out_of_memory(value, error);
    tool_status status = TOOL_OK;
    if (!json_member(value, "Type", &type))
        status = json_need(value, "type", &type, error);
    if (status == TOOL_OK)
        status = model_read_operator(value, MODEL_ZERO_SIZE_COMPUTED, &out->op, error);
    if (status == TOOL_OK)
        status = model_read_execution_flags(value, &out->execution_flags, error);
    return status == TOOL_OK ? read_numerics(value, out, error) : status;
}
