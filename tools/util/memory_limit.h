/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MEMORY_LIMIT_H
#define CUMSUM_TOOLS_MEMORY_LIMIT_H

/*
 * Memory whose size comes from a file or an option. An operating system that overcommits grants
 * more than it has and kills the process later, so sizes above the machine's memory are refused
 * here.
 */

#include <stdint.h>

#include "error.h"

/* The option --memory. 0: the machine's memory is the limit. */
void memory_set_limit(uint64_t bytes);

/* How many bytes memory_check would allow now, all together. */
uint64_t memory_room(void);

/* size bytes (0 is allowed), aligned to 64, contents undefined, for memory_free to free. NULL
 * where the size is above the limit or memory is out. */
void *memory_allocate(uint64_t size);

/* The same, aligned to a power of two. */
void *memory_allocate_aligned(uint64_t size, uint32_t alignment);

/* Frees what memory_allocate returned; free() would be wrong. NULL is allowed. */
void memory_free(void *memory);

/* Call it before memory for something is allocated. `held` bytes are allocated for it already.
 * TOOL_OK if both together are within the limit that was set, and the machine has 1.1 * needed
 * bytes left without swapping, as far as the system says; otherwise TOOL_ENVIRONMENT and a message
 * that begins with "needs" and has both numbers. */
tool_status memory_check(uint64_t held, uint64_t needed, tool_error *error);

/* Checks and allocates; NULL, with an error that begins with the name, if there is none. */
void *memory_for(uint64_t size, const char *name, tool_error *error);

#endif
