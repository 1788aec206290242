/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SHRINK_H
#define CUMSUM_TOOLS_SHRINK_H

#include "case_build.h"

/*
 * Makes a failing case simpler, step by step, as long as it fails (delta debugging). A case is
 * simpler if it has fewer elements, then fewer dimensions, then a plainer layout, then plainer
 * modes, then simpler values. Every step that is kept makes it simpler in this sense, so that the
 * search ends; nothing in it is random.
 */

/* A case with its own data: the spec's distribution and seed play no part. */
typedef struct shrink_case {
    case_spec spec;
    uint64_t count;        /* elements: product(spec.sizes) */
    uint32_t element_size; /* bytes */
    unsigned char *values; /* the input's elements in row-major order */
} shrink_case;

/* Executes a case and says whether it fails as the first one did. values: its elements, which are
 * not those of c->input any more where c was executed in place. */
typedef bool (*shrink_fails)(void *state, suite_case *c, const unsigned char *values);

typedef struct shrinker {
    shrink_fails fails;
    void *state;
    uint64_t milliseconds; /* that the search may take; 0: as long as it takes */

    shrink_case best;  /* the simplest one that has failed */
    bool values_alone; /* of a candidate that is tried */
    uint64_t tried;    /* cases that were executed */
    uint64_t deadline; /* by a clock that only goes forward */
    bool stopped;      /* the time was up before the end */
} shrinker;

/* Simplifies s->best, which must fail, until no step does any more. The caller fills in fails,
 * state, milliseconds and best; shrink_case_free(&s->best) is its too. */
void shrink_run(shrinker *s);

/* Takes the candidate's values over: keeps it as the best where it is valid and fails. */
bool shrink_try(shrinker *s, shrink_case *candidate);

/* The same for a candidate that differs in its values alone: they must be simpler after elements
 * that share an address have got one value. */
bool shrink_try_values(shrinker *s, shrink_case *candidate);

/* How simple the values of some elements are, together. */
uint64_t shrink_complexity(const shrink_case *c, uint64_t start, uint64_t length);

/* A copy of the best, with its own values. */
shrink_case shrink_copy(const shrinker *s);
void shrink_case_free(shrink_case *c);

/* The steps: each goes through all of its kind, and says whether one was kept. */
bool shrink_sizes(shrinker *s);
bool shrink_layout(shrinker *s); /* dimensions of one element, in place, offsets, strides */
bool shrink_strides(shrinker *s);
bool shrink_modes(shrinker *s); /* direction, exclusive, numerics */
bool shrink_values(shrinker *s);

/* How many parts of a length are tried at every size of a part. */
#define SHRINK_PLACES 32

/* The start of part number `index` (below SHRINK_PLACES) of a row of `count`, of which it takes
 * `length`: the last, the first, then those between, evenly spread. False where there are no more.
 */
bool shrink_place(uint64_t count, uint64_t length, uint64_t index, uint64_t *start);

#endif
