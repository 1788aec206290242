/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_COUNTED_MEMORY_H
#define CUMSUM_TESTS_COUNTED_MEMORY_H

/* A bound on what a reader allocates, for the whole program and the libraries that it uses. */

#include <stdbool.h>
#include <stddef.h>

/* Can allocations be counted here? It needs glibc, and no sanitizer. */
bool counted_memory_works(void);

/* From here on the program is ended with a message if more than `most` bytes are allocated at one
 * time, beside those that are allocated already. */
void counted_memory_begin(size_t most);
void counted_memory_end(void);

#endif
