/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BUFFER_STATE_H
#define CUMSUM_TOOLS_BUFFER_STATE_H

/* The contents of a case file's buffers before and after its dispatches: copies, and which dispatch
 * reads or writes the bytes of another. */

#include "model.h"

/* Copies of the resources that dispatches write, for another run. */
typedef struct model_snapshot {
    unsigned char **copies; /* one for each resource, NULL if no dispatch writes it */
    size_t count;
} model_snapshot;

model_snapshot snapshot_take(const model *m);
void snapshot_restore(const model_snapshot *snapshot, model *m);
void snapshot_free(model_snapshot *snapshot);

/* Do the byte ranges of two outputs overlap, or those of an input and an output? */
bool outputs_overlap(const model_command *a, const model_command *b);
bool input_overlaps_output(const model_command *reader, const model_command *writer);

/* Does one dispatch read the very elements that the other writes, at the same indices? */
bool input_is_output(const model_command *reader, const model_command *writer);

/* Does this dispatch, or a later one, overwrite its input? */
bool input_is_overwritten(const model *m, size_t command);

/* The last command before `end` that dispatched into the resource, or NULL. */
const model_command *last_writer(const model *m, const model_resource *resource, size_t end);

#endif
