/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CANDIDATE_H
#define CUMSUM_TESTS_CANDIDATE_H

/* What the checker checks: a function that computes a case. The library is one, with the kernel
 * that is asked for. The others have a known defect, which the checker must find: the mutants of
 * tests/mutants, and the broken candidates below. */

#include "case_memory.h"
#include "mutant.h"

struct pthreadpool;

typedef struct candidate_call {
    const kernel_case *c;
    const case_window *window; /* [CASE_OPERANDS] */
    const mutant *mutant;      /* for candidate_run_mutant */
    cumsum_kernel kernel;
    struct pthreadpool *pool; /* NULL: none */
    cumsum_plan *plan;        /* set during execution: after a memory fault others destroy it */
    cumsum_kernel ran;        /* out: the kernel that the plan chose */
    cumsum_diagnostic why;    /* out: why the library refused */
} candidate_call;

/* False if the library refused; call->why says why. */
typedef bool candidate_function(candidate_call *call);

/* The library, with the kernel that is asked for. */
bool candidate_run_kernel(candidate_call *call);

/* The reference. */
bool candidate_run_reference(candidate_call *call);

/* call->mutant, in the default floating-point mode. */
bool candidate_run_mutant(candidate_call *call);

/* The library in random pieces (cumsum/carry.h). */
bool candidate_run_pieces(candidate_call *call);

/* The library's calls on a thread of which they use no more stack than the headers say. */
bool candidate_run_stack(candidate_call *call);

/* Another candidate on such a thread; false, too, if it uses more. */
bool candidate_on_painted_stack(candidate_call *call, candidate_function *function);

typedef struct broken_candidate {
    const char *name;
    const char *what;
    candidate_function *run;
} broken_candidate;

/* Defects that only a checker with guard pages and modes can see. Ends with a NULL name. */
extern const broken_candidate broken_candidates[];

#endif
