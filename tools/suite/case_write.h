/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_WRITE_H
#define CUMSUM_TOOLS_CASE_WRITE_H

#include "case_build.h"

/* Buffers of more elements than this are written to .npy files beside the model. */
#define CASE_INLINE_ELEMENTS 256

/* A path longer than this belongs to a name that is shortened in it. */
#define CASE_PATH_NAME 200

/*
 * Writes a case as a DxDispatch model (docs/file-format.md), FOLDER/NAME.json, and what is too long
 * for it beside it, as FOLDER/NAME.RESOURCE.npy. A name of more than CASE_PATH_NAME bytes is cut
 * there and its hash appended. *path receives the model's path, to be freed.
 * TOOL_ENVIRONMENT where a file cannot be written; files that were written before stay.
 */
tool_status case_write(const suite_case *c, const char *folder, char **path, tool_error *error);

#endif
