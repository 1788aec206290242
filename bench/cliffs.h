/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_CLIFFS_H
#define CUMSUM_BENCH_CLIFFS_H

/* The results of random cases, kept until all are measured: the worst first, with the command that
 * measures each again, and how they are distributed. */

#include "results.h"

typedef struct cliff_list cliff_list;

/* An empty list. `options`: those of the command that also belong to a command for one case, each
 * with a space before it. */
cliff_list *cliffs_open(const char *options);

void cliffs_add(cliff_list *list, const bench_result *result);

/* Prints the list and frees it. */
void cliffs_close(cliff_list *list);

#endif
