/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_FAILING_MEMORY_H
#define CUMSUM_TESTS_FAILING_MEMORY_H

/* malloc and calloc of all that is linked into the program (not of shared libraries) fail when a
 * test says so. */

#include <stdbool.h>
#include <stddef.h>

/* The allocation of this number fails, counted from 1 on and from now on; 0: none does. */
void failing_memory_at(size_t number);

/* Has it been asked for, and has it failed? */
bool failing_memory_failed(void);

/* With a number of 0 before: each allocation of the loop's body fails once, and then none does.
 *
 *     while (failing_memory_next(&number))
 *         ...
 *
 * Afterwards the number is how often the body ran. */
bool failing_memory_next(size_t *number);

#endif
