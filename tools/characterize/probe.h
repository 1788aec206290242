/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROBE_H
#define CUMSUM_TOOLS_PROBE_H

/*
 * Questions about how an implementation computes. Each question has inputs for which different ways
 * to compute give different bits, and the answer is read from the output. The implementation is
 * known by one function only.
 */

#include <cumsum/cumsum.h>
#include <stddef.h>

/* The implementation: the arguments of cumsum_plan_create and cumsum_plan_execute, and
 * DML_EXECUTION_FLAGS for those that know them. */
typedef cumsum_status probe_execute(void *state, const cumsum_operator_desc *desc,
                                    uint32_t execution_flags, const void *input,
                                    uint64_t input_in_bytes, void *output, uint64_t output_in_bytes,
                                    cumsum_diagnostic *diagnostic);

typedef enum probe_outcome {
    PROBE_ANSWERED,
    PROBE_WRONG,       /* no correct implementation gives this answer */
    PROBE_UNAVAILABLE, /* the implementation does not support the operator; evidence: why */
    PROBE_FAILED       /* the execution failed; evidence: how */
} probe_outcome;

typedef struct probe_result {
    probe_outcome outcome;
    char answer[64];
    char evidence[320];
} probe_result;

typedef struct probe_question probe_question;

typedef struct prober {
    probe_execute *execute;
    void *state;
    const probe_question *question; /* set by probe_ask, as is the rest */
    probe_result *result;
} prober;

struct probe_question {
    const char *name; /* "float16.rounding" */
    const char *text; /* the question in words */
    cumsum_data_type type;
    uint32_t execution_flags;
    void (*ask)(prober *p); /* fills p->result */
};

extern const probe_question probe_questions[];
extern const size_t probe_question_count;

void probe_ask(prober *p, const probe_question *q, probe_result *r);

#endif
