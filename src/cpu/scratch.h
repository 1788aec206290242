/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_SCRATCH_H
#define CUMSUM_CPU_SCRATCH_H

/*
 * Scratch memory, which a plan owns and its executions share: a few places of equal size. An
 * execution takes a free place with one atomic operation and keeps it while it computes. If other
 * executions of the same plan have all places, it computes without one. So nothing waits and
 * nothing is allocated.
 *
 * Scratch memory is for data that would be too large for the stack of the calling thread.
 */

#include <stddef.h>

typedef struct cumsum_scratch {
    unsigned char *places; /* on a cache line of its own each; NULL if there are none */
    size_t count;
    size_t size; /* bytes of a place that its user has */
} cumsum_scratch;

/* Bytes for `count` places of `size` bytes: 0 if size is 0. */
size_t cumsum_scratch_bytes(size_t count, size_t size);

/* Puts the places into memory of that many bytes. */
void cumsum_scratch_init(cumsum_scratch *scratch, size_t count, size_t size, void *memory);

/* A free place, a multiple of 64; NULL if there is none. What it holds is indeterminate. */
void *cumsum_scratch_take(const cumsum_scratch *scratch);

/* `place` may be NULL. */
void cumsum_scratch_give_back(void *place);

#endif
