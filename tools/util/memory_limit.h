/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MEMORY_LIMIT_H
#define CUMSUM_TOOLS_MEMORY_LIMIT_H

/*
 * Memory whose size comes from a file or an option. An operating system that overcommits grants
 * more than it has and kills the process later, so sizes above the machine's memory are refused
 * here.
 */

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

/* Bytes: the machine's physical memory, or what memory_set_limit said. */
uint64_t memory_limit(void);

/* The option --memory. 0: the machine's memory again. */
void memory_set_limit(uint64_t bytes);

/* What memory_set_limit said, or 0. */
uint64_t memory_chosen_limit(void);

/* From this call on memory_release keeps some blocks for the next memory_allocate: up to 2 GiB,
 * which so many processes share. Does nothing under an address sanitizer, which could not see a use
 * after the release. */
void memory_keep(uint32_t processes);

/* How many bytes memory_check would allow now, all together. */
uint64_t memory_room(void);

/* size bytes (0 is allowed), aligned to 64, contents undefined, for memory_release to free. NULL
 * where the size is above the limit or memory is out. */
void *memory_allocate(uint64_t size);

/* The same, aligned to a power of two. */
void *memory_allocate_aligned(uint64_t size, uint32_t alignment);

/* Frees what memory_allocate returned; free() would be wrong. NULL is allowed. */
void memory_release(void *memory);

/* The blocks that memory_keep keeps: a few large ones, since new pages from the operating system
 * take longer than to sum what is in them. For memory_allocate and its test. */

/* A block follows its header. */
typedef struct memory_header {
    uint64_t size;   /* bytes behind the header */
    uint64_t before; /* bytes before it, which an alignment took */
    char padding[48];
} memory_header;

/* A kept block of size to 2 * size + 1 bytes, no longer kept; NULL if there is none. */
memory_header *memory_kept_take(uint64_t size);

/* Keeps a block. False if it is too small, or too many or too much would be kept. */
bool memory_kept_give(memory_header *block);

/* Any kept block, no longer kept; NULL if there is none. */
memory_header *memory_kept_drop(void);

/* Call it before memory for something is allocated. `held` bytes are allocated for it already.
 * TOOL_OK if both together are within the limit that was set, and the machine has 1.1 * needed
 * bytes left without swapping, as far as the system says; otherwise TOOL_ENVIRONMENT and a message
 * that begins with "needs" and has both numbers. */
tool_status memory_check(uint64_t held, uint64_t needed, tool_error *error);

/* The same for copies of tensors, which the limit that was set does not count. */
tool_status memory_check_machine(uint64_t needed, tool_error *error);

#endif
