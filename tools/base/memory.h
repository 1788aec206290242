/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MEMORY_H
#define CUMSUM_TOOLS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory for the tool's own bookkeeping. These never return NULL: where memory is out, they say so
 * on stderr and end the program with exit status 3. */

void *tool_malloc(size_t size);
void *tool_calloc(size_t count, size_t size);
void *tool_realloc(void *old, size_t count, size_t size);
char *tool_strdup(const char *text);

/* What is to be done before these end the program: `clean_up` is called with `state`. One at a
 * time; NULL: nothing any more. */
void tool_memory_clean_up(void (*clean_up)(void *state), void *state);

/* For who finds out otherwise that memory is out. Does not return. */
_Noreturn void tool_memory_is_out(void);

/* A few large blocks that are not in use, for whoever needs such blocks again and again: to get new
 * pages from the operating system takes longer than to sum what is in them. */

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
