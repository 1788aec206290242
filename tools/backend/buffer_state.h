/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BUFFER_STATE_H
#define CUMSUM_TOOLS_BUFFER_STATE_H

/* Which dispatch of a case file reads or writes the bytes of another. */

#include "case_file.h"

/* Do the byte ranges of two outputs overlap, or those of an input and an output? */
bool outputs_overlap(const case_file_command *a, const case_file_command *b);
bool input_overlaps_output(const case_file_command *reader, const case_file_command *writer);

/* Does one dispatch read the very elements that the other writes, at the same indices? */
bool input_is_output(const case_file_command *reader, const case_file_command *writer);

/* Does this dispatch, or a later one, overwrite its input? */
bool input_is_overwritten(const case_file *file, size_t command);

/* The last command before `end` that dispatched into the resource, or NULL. */
const case_file_command *last_writer(const case_file *file, const case_file_resource *resource,
                                     size_t end);

#endif
