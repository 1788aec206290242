/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CANDIDATE_H
#define CUMSUM_TESTS_CANDIDATE_H

/* What is checked: something that computes a case. Kernels are; so are imitations of kernels with a
 * known defect, by which the checker itself is checked. */

#include "case_memory.h"

struct pthreadpool;

typedef struct candidate_call {
    const kernel_case *c;
    const case_window *window; /* [CASE_SIDES] */
    cumsum_kernel kernel;
    struct pthreadpool *pool; /* NULL: none */
    cumsum_plan *plan;        /* while it executes: a fault leaves it to be destroyed by others */
    cumsum_kernel ran;        /* out: the kernel that the plan took */
    cumsum_diagnostic why;    /* out: where it was refused */
} candidate_call;

/* False where the library refused, and then call->why says why. */
typedef bool candidate_function(candidate_call *call);

/* The library, with the kernel that is asked for. */
bool candidate_run_kernel(candidate_call *call);

/* The reference, on a case that may differ from call->c in its numerics, flags and patterns, and on
 * another input of the same layout. */
bool candidate_run_reference(candidate_call *call, const kernel_case *c, const void *input);

typedef struct broken_candidate {
    const char *name;
    const char *what;
    candidate_function *run;
} broken_candidate;

/* Ends with a NULL name. */
extern const broken_candidate broken_layouts[];
extern const broken_candidate broken_tallies[];
extern const broken_candidate broken_stores[];
extern const broken_candidate broken_accesses[];
extern const broken_candidate broken_parts[];

#endif
