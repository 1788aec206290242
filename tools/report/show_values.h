/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SHOW_VALUES_H
#define CUMSUM_TOOLS_SHOW_VALUES_H

/* The contents of buffers on standard output. */

#include <json-c/json.h>

#include "model.h"

/* What `print` shows of a resource: its type, and how many elements its values cover. */
typedef struct shown_values {
    cumsum_data_type type;
    const unsigned char *bytes;
    uint64_t count;
} shown_values;

/* The values of a resource; one without a type takes that of the tensor written to it. */
shown_values values_of(const model *m, const model_resource *resource);

/* "Resource 'name': 1, 2, 3", or verbosely a line each: "[0] 1 (0x00000001)". */
void show_resource(const char *name, shown_values values, bool verbose);

/* "1, 2, 3" and a newline. */
void show_values(shown_values values);

/* The same as a JSON line: event "print". fields: further members, taken over, or NULL. */
void show_values_json(const char *file, const char *name, shown_values values, json_object *fields);

#endif
