/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MEMORY_LIMIT_H
#define CUMSUM_TOOLS_MEMORY_LIMIT_H

#include <stdint.h>

#include "error.h"

/*
 * Memory whose size a file asks for. An operating system that overcommits promises what it does not
 * have and ends the process later; so sizes beyond the machine's memory are refused here.
 */

/* Bytes: the machine's physical memory, or what memory_set_limit said. */
uint64_t memory_limit(void);

/* 0: the machine's memory again. For tests. */
void memory_set_limit(uint64_t bytes);

/* From now on some of what is released is kept, up to 2 GiB, for what is allocated next. For one
 * thread. Not where an address sanitizer is to find out what is used after it was released. */
void memory_keep(void);

/* size bytes (0 too), aligned to 64, contents undefined, to be given to memory_release; NULL where
 * they cannot be had. */
void *memory_allocate(uint64_t size);

/* Frees what memory_allocate returned: on Windows free() may not have it. NULL is allowed. */
void memory_release(void *memory);

/* How much memory may be taken without harm to whatever else the machine does. */

/* Bytes that the system says are available, or the machine's memory where it says nothing; never
 * more than memory_limit(). */
uint64_t memory_available(void);

/* TOOL_OK where `needed` bytes are available and a tenth besides; otherwise TOOL_ENVIRONMENT and a
 * message with both numbers. */
tool_status memory_check(uint64_t needed, tool_error *error);

#endif
