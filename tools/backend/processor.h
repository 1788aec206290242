/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROCESSOR_H
#define CUMSUM_TOOLS_PROCESSOR_H

/* The processor's name and caches, for people who read results and bug reports. */

#include <stdint.h>

typedef struct processor {
    char name[128];
    uint32_t logical_processors;
    uint64_t cache_bytes[3]; /* of one L1 data cache, one L2 cache and one L3 cache; 0: unknown */
} processor;

void processor_describe(processor *out);

#endif
