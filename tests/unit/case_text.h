/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CASE_TEXT_H
#define CUMSUM_TESTS_CASE_TEXT_H

/*
 * JSON texts for tests, written legibly in C: ' stands for ", and an @ marks a place and is taken
 * out. A snippet is put into a case file that is complete and right without it.
 */

#include <stddef.h>

#include "case_file.h"

/* What the snippet is. */
typedef enum case_part {
    CASE_WHOLE,        /* the whole text */
    CASE_MEMBERS,      /* of the root, in place of resources, dispatchables and commands */
    CASE_RESOURCE,     /* resources.x: an INT32 buffer of 4 elements, the input of d */
    CASE_VALUES,       /* resources.x.initialValues, of type INT32 */
    CASE_FLOATS,       /* resources.x.initialValues, of type FLOAT16, which is then no input */
    CASE_EXPECTED,     /* resources['y.expected']; y is the output of d */
    CASE_DISPATCHABLE, /* dispatchables.d */
    CASE_DISPATCHABLE_MEMBERS, /* of dispatchables.d, after a complete desc */
    CASE_DESC,                 /* dispatchables.d.desc */
    CASE_DESC_MEMBERS,         /* of dispatchables.d.desc, after the two tensors */
    CASE_TENSOR,               /* dispatchables.d.desc.InputTensor */
    CASE_COMMAND,              /* commands[0]; there is no other */
    CASE_BINDINGS,             /* commands[0].bindings */
    CASE_BINDING               /* commands[0].bindings.InputTensor */
} case_part;

typedef struct case_text {
    char text[8192];
    size_t length;
    size_t line; /* of the mark, from 1; 0: there was none */
    size_t column;
} case_text;

void case_text_write(case_text *out, case_part part, const char *snippet);

/* Reads the case file; the test fails where it cannot be read. */
case_file *case_read(case_part part, const char *snippet);

/* The test fails unless the case file is rejected with "case.json:LINE:COLUMN: message" of the
 * mark. */
void case_reject(case_part part, const char *snippet, tool_status status, const char *message);

#endif
