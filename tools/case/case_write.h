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

/* What a case's file is called and says of itself. */
typedef struct case_title {
    const char *name; /* of the dispatchable */
    const char *stem; /* of the files, without an ending */
    const char *head; /* as in case_model */
} case_title;

/* The same with another title, for a case that its name does not rebuild. */
tool_status case_write_titled(const suite_case *c, const case_title *title, const char *folder,
                              char **path, tool_error *error);

/* The beginning of the file names that case_write gives a case of this name. */
void case_file_stem(const char *name, char stem[CASE_NAME_ROOM]);

#endif
