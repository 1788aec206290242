/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_NAME_H
#define CUMSUM_TOOLS_CASE_NAME_H

/*
 * The name of a case, which determines the whole case (docs/suite.md has the grammar).
 *
 *     float16.sequential.decreasing.exclusive.2x3x4.axis1.in-12x4x1.out-packed.normal.seed7
 *
 * Invariant: a case has one name. A name that was read is formatted as the same text.
 */

#include "case_spec.h"
#include "error.h"

/* Room for any name, the 0 byte included. */
#define CASE_NAME_ROOM 448

/* Components of a name, in their order. */
enum {
    CASE_COMPONENTS = 10
};

/* Reads a name. TOOL_MALFORMED for a text that is not in canonical form, with a message that names
 * the component, its column and the rule, and for a descriptor that DirectML would reject. */
tool_status case_parse(const char *name, case_spec *out, tool_error *error);

void case_format(char name[CASE_NAME_ROOM], const case_spec *c);

/* The word for a type ("float16") and for its numerics ("sequential-toward-zero"). */
const char *case_type_word(cumsum_data_type type);
const char *case_numerics_word(cumsum_data_type type, cumsum_numerics numerics);

/* The words of a type's numerics: index from 0 on, NULL after the last. */
const char *case_list_numerics(cumsum_data_type type, size_t index, cumsum_numerics *numerics);

#endif
