/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SHRINK_H
#define CUMSUM_TOOLS_SHRINK_H

/*
 * Makes a failing case simpler, step by step, as long as it fails: delta debugging (Zeller and
 * Hildebrandt, Simplifying and isolating failure-inducing input, 2002). A case is simpler if it has
 * fewer elements, then fewer dimensions, then a plainer layout, then plainer modes, then simpler
 * values. Every kept step makes it simpler in this sense, so the search ends. Nothing is random.
 */

#include "case_build.h"

/* A case with data of its own. The distribution and the seed of the spec have no effect. */
typedef struct shrink_case {
    case_spec spec;
    uint64_t count;        /* elements: product(spec.sizes) */
    uint32_t element_size; /* bytes */
    unsigned char *values; /* the input's elements in row-major order */
} shrink_case;

/* Executes a case. Returns whether it fails as the first one did. */
typedef bool (*shrink_fails)(void *state, suite_case *c);

typedef struct shrinker {
    shrink_fails fails;
    void *state;
    uint64_t milliseconds; /* the limit of the search; 0: none */

    shrink_case best;  /* the simplest failing case so far */
    bool values_alone; /* the candidate differs from the best in its values only */
    uint64_t tried;    /* executed cases */
    uint64_t deadline; /* on the monotonic clock */
    bool stopped;      /* the limit ended the search */
} shrinker;

/* Simplifies s->best, which must fail, until no step makes it simpler. The caller fills in fails,
 * state, milliseconds and best, and frees s->best. */
void shrink_run(shrinker *s);

/* A copy of the best case, which the caller frees. */
shrink_case shrink_copy(const shrinker *s);
void shrink_case_free(shrink_case *c);

/* Elements: which of two values makes the simpler example. */

/* From simple to complex: 0, 1, other integers up to 16, other integers, other numbers, both by
 * their binary digits and the ones among these, infinity, NaN. A positive value is simpler than the
 * negative one. */
uint32_t element_complexity(cumsum_data_type type, uint64_t bits);

/* The bits of a small number. */
uint64_t element_of_number(cumsum_data_type type, uint64_t number);

#define SIMPLER_ELEMENTS 20

/* Fills in simpler values, the simplest first, some of them near the value. Returns how many. */
size_t element_simpler(cumsum_data_type type, uint64_t bits, uint64_t simpler[SIMPLER_ELEMENTS]);

#endif
