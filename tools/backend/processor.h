/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROCESSOR_H
#define CUMSUM_TOOLS_PROCESSOR_H

/* The processor's name, features and caches, if the build has cpuinfo. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct processor {
    char name[128];
    char features[512]; /* names separated by spaces */
    uint32_t cores;     /* 0: unknown, as below */
    uint32_t logical_processors;
    uint64_t cache_bytes[3]; /* of one L1 data cache, one L2 cache and one L3 cache */
} processor;

/* Returns false, and *reason as a constant string, if nothing is known. */
bool processor_describe(processor *out, const char **reason);

#endif
