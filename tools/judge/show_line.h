/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SHOW_LINE_H
#define CUMSUM_TOOLS_SHOW_LINE_H

/* Places of tensors in words, the line of a scan around them, and the contents of buffers. */

#include <cumsum/cumsum.h>
#include <stdio.h>

#include "case_file.h"
#include "json_tree.h"
#include "layout.h"
#include "words.h"

/* "5 (0x40a00000)" */
void show_value(FILE *out, cumsum_data_type type, uint64_t bits);

/* "3 ulp apart", or for more than 2^20 ulps "relative error 0.35"; for integers "3 apart". */
void show_distance(FILE *out, cumsum_data_type type, uint64_t expected, uint64_t actual,
                   uint64_t ulps);

/* Shows the elements around a place, as cumsum_write_line has them. */
void show_line(FILE *out, const cumsum_line_view *view, const uint32_t *coordinates);

/* The values of a resource that `print` shows. */
typedef struct shown_values {
    cumsum_data_type type;
    const unsigned char *bytes;
    uint64_t count;
} shown_values;

/* The values of a resource. Without a type of its own, it has that of the tensor written to it. */
shown_values values_of(const case_file *file, const case_file_resource *resource);

/* "Resource 'name': 1, 2, 3"; if verbose, a line for each element: "[0] 1 (0x00000001)". */
void show_resource(const char *name, shown_values values, bool verbose);

/* "1, 2, 3" and a newline. */
void show_values(shown_values values);

/* The same as a JSON line, event "print". fields: more members, owned by the callee, or NULL. */
void show_values_json(const char *file, const char *name, shown_values values, json_object *fields);

#endif
