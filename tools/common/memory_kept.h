/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MEMORY_KEPT_H
#define CUMSUM_TOOLS_MEMORY_KEPT_H

/* A few large blocks that are not in use, for whoever needs such blocks again and again: to get new
 * pages from the operating system takes longer than to sum what is in them. */

#include <stdbool.h>
#include <stdint.h>

/* A block lies behind its header. */
typedef struct memory_header {
    uint64_t size; /* bytes behind the header */
    char padding[56];
} memory_header;

/* A block of at least so many bytes, and not much more; NULL where there is none. */
memory_header *memory_kept_take(uint64_t size);

/* Keeps a block. False where it is too small or too large for that, or enough are kept. */
bool memory_kept_give(memory_header *block);

/* A block that is kept no longer; NULL where there is none. */
memory_header *memory_kept_drop(void);

#endif
