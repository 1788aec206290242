/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_PROCESSOR_FEATURES_H
#define CUMSUM_CPU_PROCESSOR_FEATURES_H

/* What the kernels have to know of the processor: from cpuinfo
 * (features_cpuinfo.c), or from itself (features_cpuid.c). */

#include <stddef.h>

/* What it lacks for the kernels of an instruction set: a constant, or NULL. */
const char *cumsum_missing_avx2(void);
const char *cumsum_missing_avx512(void);
const char *cumsum_missing_neon(void);
const char *cumsum_missing_portable(void); /* nothing */

/* Bytes of the largest cache that a core can use, or of a modest one where that is not known. */
size_t cumsum_last_cache_size(void);

/* Bytes of a core's second-level cache, or of its share of one; of a modest one where that is not
 * known. */
size_t cumsum_second_cache_size(void);

#endif
