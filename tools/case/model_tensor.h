/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MODEL_TENSOR_H
#define CUMSUM_TOOLS_MODEL_TENSOR_H

#include "json_value.h"

/* An enumeration of DirectML or of this project: names[i] is the name of values[i]. */
typedef struct model_enum {
    const char *type;   /* "DML_TENSOR_DATA_TYPE" */
    const char *prefix; /* that the names may have or not: "DML_TENSOR_DATA_TYPE_" */
    size_t count;
    const char *names[14];
    uint32_t values[14];
} model_enum;

extern const model_enum model_data_types;
extern const model_enum model_tensor_types;
extern const model_enum model_tensor_flags;
extern const model_enum model_execution_flags;
extern const model_enum model_axis_directions;
extern const model_enum model_orders;
extern const model_enum model_half_accumulators;
extern const model_enum model_half_stores;
extern const model_enum model_denormals;

/* A name of the enumeration, or any integer of 32 bits in its place: the rules of the operator
 * judge that later. An unknown name is an error. */
tool_status model_to_enum(const json_value *value, const model_enum *names, uint32_t *out,
                          tool_error *error);

/* A name of the enumeration and nothing else. */
tool_status model_to_name(const json_value *value, const model_enum *names, uint32_t *out,
                          tool_error *error);

/* One flag, or an array of flags that are combined. */
tool_status model_to_flags(const json_value *value, const model_enum *names, uint32_t *out,
                           tool_error *error);

#endif
