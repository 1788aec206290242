/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_GUARDED_MEMORY_H
#define CUMSUM_TESTS_GUARDED_MEMORY_H

/* Memory between two pages that nothing may touch. */

#include <stdbool.h>
#include <stddef.h>

typedef struct guarded_memory {
    unsigned char *begin; /* right behind a guard page */
    unsigned char *end;   /* a guard page begins here */
} guarded_memory;

/* At least `bytes` bytes, a whole number of pages; takes memory only where it is written. False
 * where there is none. It stays for as long as the program runs. */
bool guarded_memory_map(guarded_memory *memory, size_t bytes);

/* Where a tensor of `bytes` bytes lies, `offset` bytes from the guard page at one of the ends. NULL
 * where it does not fit. */
unsigned char *guarded_memory_place(const guarded_memory *memory, size_t bytes, size_t offset,
                                    bool at_end);

#endif
