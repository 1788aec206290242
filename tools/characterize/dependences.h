/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_DEPENDENCES_H
#define CUMSUM_TOOLS_DEPENDENCES_H

/*
 * What the bits of a line depend on besides its elements. Outputs of the same elements are compared
 * with each other, so nothing needs to be known of the order in which they are added.
 */

#include "line_trial.h"

typedef enum dependence_outcome {
    DEPENDENCE_NOT_ASKED,  /* the answer to another question makes this one meaningless */
    DEPENDENCE_NONE,       /* same bits */
    DEPENDENCE_ZEROS,      /* same bits, but for the signs of zeros */
    DEPENDENCE_FOUND,      /* other bits */
    DEPENDENCE_UNAVAILABLE /* this cannot run */
} dependence_outcome;

/* On what the bits may depend. */
typedef enum dependence_kind {
    ON_RUN,       /* the same lines once more */
    ON_LINE,      /* the line's number */
    ON_LINES,     /* how many lines there are at once */
    ON_LENGTH,    /* how many elements follow */
    ON_PLACE,     /* the place in the line: the order does not continue in long lines */
    ON_LAYOUT,    /* of the tensors */
    ON_DIRECTION, /* increasing or decreasing */
    ON_SUM,       /* exclusive or inclusive */
    DEPENDENCE_COUNT
} dependence_kind;

typedef struct dependence {
    dependence_outcome outcome;
    char text[1100]; /* what was compared, what differs, or why it could not run */
} dependence;

/* "runs", "line", ... */
const char *dependence_name(dependence_kind kind);

typedef struct dependence_checks {
    const line_runner *runner;
    uint32_t runs;     /* how often the same lines run */
    uint32_t repeated; /* how often they ran again so far */
    line_trial lines;  /* many lines of the length that is examined */
    line_trial longs;  /* a few lines, much longer; without outputs if they are not available */
    dependence found[DEPENDENCE_COUNT];
} dependence_checks;

/* Runs lines of the block's shape, and longer ones of `longest` elements, and fills in all but
 * ON_PLACE. If the bits depend on the run or the line's number, that is all that is asked. TOOL_OK
 * whatever the answers; otherwise a run failed. dependences_end frees the trials in any case. */
tool_status dependences_begin(dependence_checks *c, const line_runner *runner,
                              const line_block *block, uint32_t runs, uint32_t longest,
                              tool_error *error);
void dependences_end(dependence_checks *c);

/* Runs both trials once more. */
tool_status dependences_run_again(dependence_checks *c, tool_error *error);

/* Are the bits those of the elements alone, for lines of the length that is examined? */
bool dependences_stable(const dependence_checks *c);

#endif
