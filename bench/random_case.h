/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_RANDOM_CASE_H
#define CUMSUM_BENCH_RANDOM_CASE_H

/* A random workload: 1 to 8 dimensions and 2^14 to 2^24 elements, lines of any length, some
 * dimensions of size 1; each operand packed, permuted, padded or with gaps between its elements. */

#include "workload.h"

/* Room for the name of a random workload. */
#define RANDOM_NAME 32

typedef struct random_case {
    workload work; /* its name is below, so a case must stay where it is */
    cumsum_data_type type;
    cumsum_order order;
    char name[RANDOM_NAME]; /* "random-SEED" */
} random_case;

/* The case of a seed, which alone determines it. */
void random_case_make(random_case *c, uint32_t seed);

#endif
