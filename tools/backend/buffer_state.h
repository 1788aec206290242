/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BUFFER_STATE_H
#define CUMSUM_TOOLS_BUFFER_STATE_H

#include "model.h"

/* The contents of a model's buffers, before and after its dispatches. */

/* Copies of the resources that dispatches write, so that the model can be run again. */
typedef struct model_snapshot {
    unsigned char **copies; /* one for each resource, NULL where nothing writes it */
    size_t count;
} model_snapshot;

model_snapshot snapshot_take(const model *m);
void snapshot_restore(const model_snapshot *snapshot, model *m);
void snapshot_free(model_snapshot *snapshot);

/* Do the ranges of bytes that two dispatches write, or that one reads and one writes, overlap? */
bool outputs_overlap(const model_command *a, const model_command *b);
bool input_overlaps_output(const model_command *reader, const model_command *writer);

/* Does one dispatch read exactly the elements that the other writes, each at the same indices? */
bool input_is_output(const model_command *reader, const model_command *writer);

/* Does this dispatch, or one after it, write what it reads? Then its input is gone at the end. */
bool input_is_overwritten(const model *m, size_t command);

/* The last command before `end` that dispatched into the resource, or NULL. */
const model_command *last_writer(const model *m, const model_resource *resource, size_t end);

#endif
