/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_NAME_H
#define CUMSUM_TOOLS_CASE_NAME_H

/*
 * What a case of the suite is, the one record that names, lists, data, results and reports of cases
 * share, and its name, which determines the whole case (docs/suite.md has the grammar).
 *
 *     float16.sequential.decreasing.exclusive.2x3x4.axis1.in-12x4x1.out-packed.normal.seed7
 *
 * Invariant: a case has one name. A name that was read is formatted as the same text.
 */

#include <cumsum/cumsum.h>
#include <stdbool.h>
#include <stdint.h>

#include "distribution.h"
#include "error.h"

/* The layout of an operand in its buffer. */
typedef struct case_tensor {
    bool strided; /* false: packed, Strides is NULL in the descriptor */
    uint32_t strides[CUMSUM_MAX_DIMENSIONS];
    uint32_t offset; /* bytes from the start of the buffer; a multiple of 16 */
} case_tensor;

typedef struct case_spec {
    cumsum_data_type type;
    cumsum_numerics numerics; /* members that cannot change the bits are 0 */
    bool decreasing;
    bool exclusive;
    uint32_t rank;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t axis;
    case_tensor input;
    case_tensor output; /* in place: the same as input */
    bool in_place;
    const distribution *data;
    uint64_t seed;
} case_spec;

/* The number of lines. */
uint64_t case_lines(const case_spec *c);

/* A case as the library takes it. It and its case_spec must stay at their addresses, since it
 * points to both. */
typedef struct case_operator {
    cumsum_buffer_tensor_desc input_buffer;
    cumsum_buffer_tensor_desc output_buffer;
    cumsum_tensor_desc input_tensor;
    cumsum_tensor_desc output_tensor;
    cumsum_operator_desc desc;
} case_operator;

/* Fills in the descriptor and validates it. Where it is not valid, diagnostic says why. */
cumsum_status case_describe(const case_spec *c, case_operator *out, cumsum_diagnostic *diagnostic);

/* The element of a buffer with all indices 0. */
static inline unsigned char *case_first(unsigned char *buffer, const case_tensor *tensor) {
    return buffer + tensor->offset;
}

/* Room for any name, the 0 byte included. */
#define CASE_NAME_ROOM 448

/* Reads a name. TOOL_MALFORMED for a text that is not in canonical form, with a message that names
 * the component, its column and the rule, and for a descriptor that DirectML would reject. */
tool_status case_parse(const char *name, case_spec *out, tool_error *error);

void case_format(char name[CASE_NAME_ROOM], const case_spec *c);

/* The word for a type ("float16") and for its numerics ("sequential-toward-zero"); "?" for numerics
 * that no case has. */
const char *case_type_word(cumsum_data_type type);
const char *case_numerics_word(cumsum_data_type type, cumsum_numerics numerics);

/* The numerics that a word means, whatever the type is: what does not concern a type changes none
 * of its bits. False for no word of FLOAT32 or FLOAT16. */
bool case_read_numerics(const char *word, cumsum_numerics *numerics);

#endif
