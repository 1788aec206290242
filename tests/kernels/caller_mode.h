/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CALLER_MODE_H
#define CUMSUM_TESTS_CALLER_MODE_H

/* Floating-point modes that a caller may be in: numbers from 0 (the default) on, rounding
 * directions times flush modes. What they stand for is the processor's. */

#include <stdint.h>

struct pthreadpool;

/* How many modes this processor has. */
unsigned caller_mode_count(void);

/* "default", or what it sets: "round-up flush-sums flush-inputs". */
const char *caller_mode_name(unsigned mode);

/* The control word as it is, without status flags. */
uint64_t caller_mode_read(void);

void caller_mode_write(uint64_t control);

/* The control word of a mode. */
uint64_t caller_mode_control(unsigned mode);

/* Puts every worker of a pool into a mode, for good. */
void caller_mode_set_workers(struct pthreadpool *pool, unsigned mode);

#endif
