/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_FILE_READER_H
#define CUMSUM_TOOLS_CASE_FILE_READER_H

/*
 * The readers of a case file's parts, which case_file_reader.c calls. A reader that fails records
 * the error in the document, and leaves what it has allocated in its output, for case_file_free and
 * case_file_free_operator.
 */

#include "case_file.h"
#include "json_value.h"

typedef struct case_reader {
    case_file *file;
    const json_object *resources;     /* the member of the root */
    const json_object *dispatchables; /* the member of the root */
    const char *folder;               /* relative paths start here */
    uint64_t memory;                  /* bytes of all resources so far */
} case_reader;

/* value: {"initialValues": ...}; its name is the resource's. */
void case_file_read_resource(case_reader *reader, const json_object *value,
                             case_file_resource *out);

/* value: {"type": ..., "desc": ...}; its name is the dispatchable's. */
void case_file_read_dispatchable(const json_object *value, case_file_dispatchable *out);

/* Resources and dispatchables must have been read. */
void case_file_read_command(case_reader *reader, const json_object *value, case_file_command *out);

/* An array of UINT32, to be freed; NULL and a count of 0 where the member is missing or null. */
uint32_t *case_file_read_array(const json_object *object, const char *name, size_t *count);

/* A data type, any integer of 32 bits included, which validation judges later. */
cumsum_data_type case_file_read_type(const json_object *value);

/* D3D12's buffers start at a multiple of it (D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT). */
#define CASE_FILE_ALIGNMENT 65536

#endif
