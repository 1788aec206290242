/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_DIRECTML_STANDIN_H
#define CUMSUM_TESTS_DIRECTML_STANDIN_H

/*
 * What the test and the stand-in for DirectML's library tell each other. The stand-in has
 * DirectML's tables of methods; its operator copies the input to the output.
 */

#include <stdbool.h>
#include <stdint.h>

typedef struct standin_state {
    /* What it is to answer. */
    uint32_t feature_level;
    uint32_t descriptors;     /* that an operator needs */
    const char *failing_call; /* besides the ones below */
    int32_t failing_result;
    bool *raised; /* is set when a dispatch is recorded; NULL: nothing is */
    int32_t create_operator;
    int32_t compile_operator;
    int32_t removed_reason; /* once a dispatch has been recorded */
    uint32_t stray;         /* words that the operator also writes behind the output */

    /* What it has seen. */
    int32_t live;             /* objects that nobody has released */
    uint32_t execution_flags; /* of the last compilation */
    uint32_t initialized;     /* dispatches of initializers, of operators */
    uint32_t executed;
    uint64_t owned_bytes; /* bound to the initializer as its input */
    uint64_t input_offset;
    uint64_t output_offset;
    char complaint[128]; /* the first thing that was wrong, or "" */
} standin_state;

/* Exported as "standin". */
typedef standin_state *standin_function(void);

#define STANDIN_INITIALIZER_TEMPORARY 64
#define STANDIN_TEMPORARY             258 /* no whole words */
#define STANDIN_PERSISTENT            128
#define STANDIN_DESCRIPTORS           100 /* more than a heap has at first */
#define STANDIN_OBJECTS               32  /* that may be alive */

#endif
