/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MODEL_PARTS_H
#define CUMSUM_TOOLS_MODEL_PARTS_H

/* How the parts of a model are read. What a failed call has allocated already is in its output,
 * for model_free and model_free_operator. */

#include "json_value.h"
#include "model.h"

typedef struct model_reader {
    model *model;
    json_value resources;     /* the member of the root */
    json_value dispatchables; /* the member of the root */
    const char *folder;       /* relative paths start here */
    uint64_t memory;          /* bytes of all resources so far */
    tool_error *error;
} model_reader;

/* value: {"initialValues": ...}; its name is the resource's. */
tool_status model_read_resource(model_reader *reader, const json_value *value, model_resource *out);

/* value: {"type": ..., "desc": ...}; its name is the dispatchable's. */
tool_status model_read_dispatchable(model_reader *reader, const json_value *value,
                                    model_dispatchable *out);

/* Resources and dispatchables must have been read. */
tool_status model_read_command(model_reader *reader, const json_value *value, model_command *out);
tool_status model_read_dispatch(model_reader *reader, const json_value *value, model_command *out);

/* The resource that a string names. */
tool_status model_to_resource(model_reader *reader, const json_value *name, model_resource **out);

/* What a TotalTensorSizeInBytes of 0 means: in a model, as in DxDispatch, that the size is to be
 * computed; in descriptors.jsonl it is what DirectML was given. */
typedef enum model_zero_size {
    MODEL_ZERO_SIZE_COMPUTED,
    MODEL_ZERO_SIZE_KEPT
} model_zero_size;

/* The text of an operator: the value of the member "Desc" or "desc", or holder itself where it has
 * neither. Where holder has a type, it must be the cumulative summation's. */
tool_status model_read_operator(const json_value *holder, model_zero_size zero_size,
                                model_operator *out, tool_error *error);
tool_status model_read_tensor(const json_value *operator_desc, const char *name,
                              model_zero_size zero_size, model_tensor *out, tool_error *error);
void model_free_operator(model_operator *op);

/* "executionFlags" of a dispatchable or a descriptor; 0 where there are none. */
tool_status model_read_execution_flags(const json_value *holder, uint32_t *out, tool_error *error);

tool_status model_out_of_memory(const json_value *value, tool_error *error);

#endif
