/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_COPIES_H
#define CUMSUM_BENCH_COPIES_H

/* The copies that a scan is compared with. */

#include <stdint.h>

/* memcpy that no compiler removes because its result is not read. */
void bench_copy(unsigned char *to, const unsigned char *from, uint64_t size);

/* Copies size bytes with cache-bypassing stores on x86-64 with gcc or clang, elsewhere with memcpy.
 * This is the fastest way to move more bytes than a cache holds, because it does not read what it
 * overwrites. `to` is aligned to 64. Other threads see what was written after it returns. */
void bench_streaming_copy(unsigned char *to, const unsigned char *from, uint64_t size);

#endif
