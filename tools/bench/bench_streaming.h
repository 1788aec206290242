/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BENCH_STREAMING_H
#define CUMSUM_TOOLS_BENCH_STREAMING_H

/* The fastest way to move bytes that no cache holds: stores that do not read what they overwrite.
 */

#include <stdint.h>

/* Copies size bytes; `to` is aligned to 64. The widest streaming stores that this processor has, on
 * x86-64 with gcc or clang; elsewhere memcpy. What it wrote is visible to other threads after it.
 */
void bench_streaming_copy(unsigned char *to, const unsigned char *from, uint64_t size);

/* "AVX-512", "AVX", "SSE2", or "memcpy" where there are no streaming stores. */
const char *bench_streaming_name(void);

#endif
