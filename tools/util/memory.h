/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MEMORY_H
#define CUMSUM_TOOLS_MEMORY_H

/* Memory for the tool's own bookkeeping. These never return NULL: where memory is out, they say so
 * on stderr and end the program with exit status 3. */

#include <stddef.h>

void *tool_malloc(size_t size);
void *tool_calloc(size_t count, size_t size);
void *tool_realloc(void *old, size_t count, size_t size);
/* A list of count elements that has room for one more. NULL is an empty list. */
void *tool_grow(void *list, size_t count, size_t size);
char *tool_strdup(const char *text);

/* Ends the program in the same way, where another library has found no memory. */
_Noreturn void tool_memory_is_out(void);

#endif
