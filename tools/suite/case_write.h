/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_WRITE_H
#define CUMSUM_TOOLS_CASE_WRITE_H

/* Writes a case of the suite as a case file. */

#include "json_tree.h"

#include "case_build.h"

/* Buffers of more elements than this are written to .npy files beside the case file. */
#define CASE_INLINE_ELEMENTS 256

/* The longest name that a path holds in full. */
#define CASE_PATH_NAME 200

/*
 * Writes a case as a case file (docs/formats.md), FOLDER/NAME.json, and its large
 * buffers as FOLDER/NAME.RESOURCE.npy. A name of more than CASE_PATH_NAME bytes is cut there and
 * its hash appended. *path receives the case file's path, to be freed. TOOL_ENVIRONMENT if a file
 * cannot be written; files that have been written stay.
 */
tool_status case_write(const suite_case *c, const char *folder, char **path, tool_error *error);

/* The names and the first members of a case's file. */
typedef struct case_title {
    const char *name;  /* of the dispatchable */
    const char *stem;  /* of the files, without an ending */
    json_object *head; /* the case file's first members */
    bool any_numerics; /* the case promises none: they are left out */
} case_title;

/* The same with another title, for a case whose data its name does not determine. */
tool_status case_write_titled(const suite_case *c, const case_title *title, const char *folder,
                              char **path, tool_error *error);

/* The beginning of the file names that case_write gives a case of this name. */
void case_file_stem(const char *name, char stem[CASE_NAME_ROOM]);

#endif
