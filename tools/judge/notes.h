/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NOTES_H
#define CUMSUM_TOOLS_NOTES_H

/* What is worth a look in an output that passes. Notes are no verdicts, and change no exit status.
 * docs/oracle.md says what each one means. */

#include <cumsum/oracle.h>
#include <json-c/json.h>
#include <stdio.h>

#include "recorded.h"

typedef enum note_kind {
    NOTE_WEAK_PASS,     /* the worst output is off by an eighth of its terms' magnitudes, or more */
    NOTE_MOVED_AT_ZERO, /* it differs from the one before, and the term between them is 0 */
    NOTE_NOT_MONOTONIC, /* it goes back, and all of its terms have one sign */
    NOTE_KINDS
} note_kind;

typedef struct note {
    uint64_t count;                        /* of outputs; of a weak pass 1 */
    uint32_t first[CUMSUM_MAX_DIMENSIONS]; /* the first of them in row-major order */
} note;

typedef struct output_notes {
    note of[NOTE_KINDS];
    double off;     /* of a weak pass: the error as a share of the sum of magnitudes */
    uint64_t terms; /* of that output */
} output_notes;

/* Looks at every output. There are no notes of integers, of outputs that fail, or where elements
 * may share an address. */
output_notes notes_of(const recorded_output *recorded, const unsigned char *input,
                      const cumsum_judgement *j);

/* A line for each note. */
void show_notes(FILE *out, const layout *output, const output_notes *notes);

/* Adds "notes" if there are any. */
void fields_notes(json_object *object, const layout *output, const output_notes *notes);

#endif
