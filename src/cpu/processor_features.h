/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_PROCESSOR_FEATURES_H
#define CUMSUM_CPU_PROCESSOR_FEATURES_H

/*
 * What the library needs to know about the processor: which kernels it can run, and the sizes of
 * its caches. The answers are the same at every call, and the functions may be called by several
 * threads.
 */

#include <stddef.h>
#include <stdint.h>

/* What the processor or the system lacks for the kernels of an instruction set: a constant
 * sentence, or NULL if it lacks nothing. */
const char *cumsum_missing_avx2(void);
const char *cumsum_missing_avx512(void);
const char *cumsum_missing_neon(void);
const char *cumsum_missing_portable(void); /* always NULL */

/* Bytes of the largest cache that a core can use; 1 MiB if that is unknown. */
uint64_t cumsum_last_cache_size(void);

/* Bytes of a core's second-level cache, or of its share of a shared one; 512 KiB if that is
 * unknown. */
uint64_t cumsum_second_cache_size(void);

#endif
