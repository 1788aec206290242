/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CHECK_CASE_H
#define CUMSUM_TESTS_CHECK_CASE_H

/* The checker: runs a case with every kernel that is to be checked, and compares all of the memory
 * that it left. */

#include "candidate.h"
#include "compare_case.h"

enum {
    MAX_KERNELS = 8,
    MAX_THREADS = 8
};

/* What it takes to make a case again. */
typedef struct case_origin {
    const char *program; /* its file name */
    const char *group;
    uint64_t seed;
    uint64_t index;
    uint32_t margin; /* the value of --margin */
} case_origin;

typedef struct checker {
    case_memory memory;
    candidate_function *candidate;
    const mutant *mutant; /* for candidate_run_mutant */
    cumsum_kernel kernels[MAX_KERNELS];
    unsigned kernel_count;
    uint64_t runs[MAX_KERNELS];         /* by each kernel */
    uint64_t by_reference[MAX_KERNELS]; /* of these, by plans that chose the reference */
    struct pthreadpool *pools[MAX_THREADS + 1];
    struct pthreadpool *moded_pools[MAX_THREADS + 1]; /* with threads in other modes */
    bool quiet;                                       /* prints no differences */
} checker;

/* False if there is no memory. */
bool checker_init(checker *checks);

/* Runs a case with each kernel. True if all agree; otherwise prints the first difference and the
 * command that runs this case again. */
bool checker_run(checker *checks, const kernel_case *c, const case_origin *origin);

#endif
