/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROBE_H
#define CUMSUM_TOOLS_PROBE_H

#include <cumsum/cumsum.h>
#include <stddef.h>

/*
 * Questions about how an implementation computes, answered by what it makes of inputs that are
 * chosen so that each possible answer shows in the bits. It is known by one function alone.
 */

/* The implementation: the arguments of cumsum_plan_create and cumsum_plan_execute, and
 * DML_EXECUTION_FLAGS for those that know them. */
typedef cumsum_status probe_execute(void *state, const cumsum_operator_desc *desc,
                                    uint32_t execution_flags, const void *input,
                                    uint64_t input_in_bytes, void *output, uint64_t output_in_bytes,
                                    cumsum_diagnostic *diagnostic);

typedef struct prober {
    probe_execute *execute;
    void *state;
    cumsum_diagnostic diagnostic; /* of the last execution that failed */
} prober;

typedef enum probe_outcome {
    PROBE_ANSWERED,
    PROBE_WRONG,       /* an answer that no right implementation gives */
    PROBE_UNAVAILABLE, /* it does not compute this at all: the evidence says why */
    PROBE_FAILED       /* it broke: the evidence says how */
} probe_outcome;

typedef struct probe_result {
    probe_outcome outcome;
    char answer[64];
    char evidence[320];
} probe_result;

typedef struct probe_question probe_question;
typedef void probe_function(prober *p, const probe_question *q, probe_result *r);

struct probe_question {
    const char *name; /* "float16.store" */
    const char *text; /* what is asked, in words */
    cumsum_data_type type;
    uint32_t execution_flags;
    probe_function *ask;
};

extern const probe_question probe_questions[];
extern const size_t probe_question_count;

/* Asks. The result's outcome is one of the four, whatever happens. */
void probe_ask(prober *p, const probe_question *q, probe_result *r);

/* probe_half.c */
probe_function probe_half_accumulator, probe_half_rounding, probe_half_overflow,
    probe_half_subnormals;

/* probe_float.c: FLOAT32, but signed zero, NaN and infinity FLOAT16 as well */
probe_function probe_subnormal_inputs, probe_subnormal_sums, probe_signed_zero, probe_nan,
    probe_infinity, probe_overflow;

/* probe_integer.c */
probe_function probe_wrap;

/* probe_line.c: long lines of FLOAT32 */
probe_function probe_order, probe_causality, probe_stability, probe_length, probe_layouts,
    probe_neighbours;

#endif
