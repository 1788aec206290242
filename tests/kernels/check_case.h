/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CHECK_CASE_H
#define CUMSUM_TESTS_CHECK_CASE_H

/* Runs a case with every kernel that is to be checked and compares all of the output's memory. */

#include "candidate.h"
#include "compare_case.h"

enum {
    MAX_KERNELS = 8,
    MAX_THREADS = 8
};

/* Where a case comes from: what it takes to make it again. */
typedef struct case_origin {
    const char *program; /* of this file name */
    const char *group;
    uint64_t seed;
    uint64_t index;
    uint32_t margin; /* what --margin said */
} case_origin;

typedef struct checker {
    case_memory memory;
    candidate_function *candidate;
    const mutant *mutant; /* for candidate_run_mutant */
    cumsum_kernel kernels[MAX_KERNELS];
    unsigned kernel_count;
    uint64_t runs[MAX_KERNELS];       /* of each kernel */
    uint64_t left_alone[MAX_KERNELS]; /* of these, left to the reference by the plan */
    struct pthreadpool *pools[MAX_THREADS + 1];
    struct pthreadpool *moded_pools[MAX_THREADS + 1]; /* their threads' modes get changed */
    bool quiet;                                       /* print nothing of differences */
} checker;

/* False where there is no memory. */
bool checker_init(checker *checks);

/* Runs a case with each kernel. True where all agree; otherwise the first difference is printed,
 * with the command that runs this case again. */
bool checker_run(checker *checks, const kernel_case *c, const case_origin *origin);

#endif
