/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_JUDGE_STATE_H
#define CUMSUM_ORACLE_JUDGE_STATE_H

/* What the loops over lines share: the tensor, the line they are on, and what was found so far. */

#include <cumsum/oracle.h>
#include <string.h>

#include "problem.h"
#include "rule.h"

typedef struct judge_state {
    cumsum_problem problem;
    const unsigned char *input; /* the element with all indices 0 */
    const unsigned char *actual;
    cumsum_judge_options options;
    uint32_t allowed;     /* models that count */
    cumsum_verdict usual; /* what the verdicts array was filled with */
    uint8_t *verdicts;    /* or NULL */
    cumsum_judgement *judgement;
    uint32_t *owners; /* for each output address the last line that writes it; NULL: each has one */

    /* Of the line that is being judged. */
    uint64_t line;
    const unsigned char *line_input; /* the first element in traversal order */
    const unsigned char *line_actual;
    int64_t input_step; /* bytes from one element to the next in traversal order */
    int64_t actual_step;
    exact_prefix exact; /* caught up as far as outputs needed it */

    /* Over the tensor. */
    int gravest;          /* gravity of judgement->first and worst: 0 fine, 1 undecided, 2 FAIL */
    uint64_t first_index; /* row-major index of judgement->first */
    uint64_t worst_line;  /* of the largest error among outputs that are fine */
    uint64_t worst_position;
} judge_state;

/* The elements of the current line in traversal order. */
static inline uint32_t load_32(const unsigned char *base, int64_t step, uint64_t position) {
    uint32_t bits;
    memcpy(&bits, base + step * (int64_t)position, sizeof bits);
    return bits;
}

static inline uint32_t load_16(const unsigned char *base, int64_t step, uint64_t position) {
    uint16_t bits;
    memcpy(&bits, base + step * (int64_t)position, sizeof bits);
    return bits;
}

static inline uint64_t load_64(const unsigned char *base, int64_t step, uint64_t position) {
    uint64_t bits;
    memcpy(&bits, base + step * (int64_t)position, sizeof bits);
    return bits;
}

/* Points the state at a line (row-major number of the indices other than the axis'). */
void cumsum_judge_start_line(judge_state *s, uint64_t line);

/* Does a later line (in row-major order) write the address of this output? */
static inline bool cumsum_judge_overwritten(const judge_state *s, uint64_t position) {
    if (!s->owners)
        return false;
    const unsigned char *address = s->line_actual + s->actual_step * (int64_t)position;
    return s->owners[(size_t)(address - s->actual) / s->problem.element_size] != s->line;
}

/* Records the verdict on the output at a position of the current line. For FAIL and INDETERMINATE
 * the finding has terms, expected_bits, actual_bits, lower_bits and upper_bits filled in; for the
 * other verdicts it may be NULL. */
void cumsum_judge_record(judge_state *s, uint64_t position, cumsum_verdict verdict,
                         const cumsum_finding *finding);

/* Judges one output of FLOAT32 or FLOAT16 by the exact rules and records it. */
rule_result cumsum_judge_exactly(judge_state *s, uint64_t position);

/* The exact sums of the prefix that belongs to an output of the current line. */
void cumsum_judge_catch_up(judge_state *s, uint64_t position);

/* The loops. Each judges every output of the current line. */
void cumsum_judge_line_float32(judge_state *s);
void cumsum_judge_line_float16(judge_state *s);
void cumsum_judge_line_integer(judge_state *s);

/* Writes into the verdicts array, which is there. */
void cumsum_judge_mark(judge_state *s, uint64_t position, int verdict);

/* Fills in owners where output elements share addresses. */
cumsum_status cumsum_judge_find_owners(judge_state *s);

/* Verdict 3 on the whole tensor. */
cumsum_status cumsum_judge_orders(judge_state *s);

#endif
