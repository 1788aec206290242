/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CALLER_MODE_H
#define CUMSUM_TESTS_CALLER_MODE_H

/* Floating-point modes that a caller of the library may be in: numbers from 0 (the default) on,
 * rounding directions times flush modes. Their meaning depends on the processor. */

#include <stdint.h>

struct pthreadpool;

/* How many modes this processor has. */
unsigned caller_mode_count(void);

/* "default", or what the mode changes: "rounding 2, inputs flushed". */
const char *caller_mode_name(unsigned mode);

/* The thread's control word, without status flags. */
uint64_t caller_mode_read(void);

void caller_mode_write(uint64_t control);

/* The control word of a mode. */
uint64_t caller_mode_control(unsigned mode);

/* Puts every worker of a pool into a mode, for good. */
void caller_mode_set_workers(struct pthreadpool *pool, unsigned mode);

#endif
