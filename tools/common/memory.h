/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MEMORY_H
#define CUMSUM_TOOLS_MEMORY_H

/* Memory for the tool's own bookkeeping. These never return NULL: where memory is out, they say so
 * on stderr and end the program with exit status 3. */

#include <stddef.h>

void *tool_malloc(size_t size);
void *tool_calloc(size_t count, size_t size);
void *tool_realloc(void *old, size_t count, size_t size);
char *tool_strdup(const char *text);

/* What is to be done before these end the program: `clean_up` is called with `state`. One at a
 * time; NULL: nothing any more. */
void tool_memory_clean_up(void (*clean_up)(void *state), void *state);

/* For who finds out otherwise that memory is out. Does not return. */
_Noreturn void tool_memory_is_out(void);

#endif
