/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_HUGE_MEMORY_H
#define CUMSUM_TESTS_HUGE_MEMORY_H

/* Addresses for more elements than there is memory. */

#include <stdint.h>

/* `bytes` of addresses behind which the same `window` bytes appear again and again; window divides
 * bytes. NULL where that cannot be had. */
unsigned char *huge_memory_repeat(uint64_t bytes, uint64_t window);

/* `bytes` of memory of its own, taken page by page where it is written. NULL where there is none.
 */
unsigned char *huge_memory_map(uint64_t bytes);

void huge_memory_unmap(unsigned char *memory, uint64_t bytes);

/* Bytes that can be had without swapping; 0 where the system does not say. */
uint64_t huge_memory_available(void);

#endif
