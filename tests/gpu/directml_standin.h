/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_DIRECTML_STANDIN_H
#define CUMSUM_TESTS_DIRECTML_STANDIN_H

/*
 * The interface between the tests and the stand-in for DirectML's library. The stand-in has
 * DirectML's tables of methods. Its operator copies the input to the output.
 */

#include <stdbool.h>
#include <stdint.h>

typedef struct standin_state {
    /* Set by the test. */
    uint32_t feature_level;
    uint32_t descriptors;     /* the number that an operator needs */
    const char *failing_call; /* a call that returns failing_result */
    int32_t failing_result;
    bool *raised;           /* becomes true when a dispatch is recorded; may be NULL */
    int32_t removed_reason; /* after a dispatch was recorded */
    uint32_t stray;         /* words that the operator writes behind the output */

    /* Recorded by the stand-in. */
    int32_t live;             /* objects that were not released */
    uint32_t execution_flags; /* of the last compilation */
    uint32_t initialized;     /* dispatches of initializers, of operators */
    uint32_t executed;
    bool ready;           /* the operator that was compiled last is initialized */
    uint64_t owned_bytes; /* bound to the initializer as its input */
    uint64_t input_offset;
    uint64_t output_offset;
    char complaint[128]; /* the first thing that was wrong, or "" */
} standin_state;

/* Exported as "standin". */
typedef standin_state *standin_function(void);

#define STANDIN_INITIALIZER_TEMPORARY 64
#define STANDIN_TEMPORARY             258 /* not a multiple of 4 */
#define STANDIN_PERSISTENT            128
#define STANDIN_DESCRIPTORS           100 /* more than the first heap has */
#define STANDIN_OBJECTS               32  /* live at a time */

#endif
