/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_WRITE_OUTPUT_H
#define CUMSUM_TOOLS_WRITE_OUTPUT_H

#include "model.h"

/* Does a writeFile command (number `index` of the model): an .npy with the sizes of the tensor that
 * was dispatched into the resource last, else with the command's dimensions, else with one; the
 * buffer's bytes as they are for any other extension. */
tool_status write_output(const model *m, size_t index, tool_error *error);

#endif
