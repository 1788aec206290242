/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROCESSOR_H
#define CUMSUM_TOOLS_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the tool knows of the processor: through cpuinfo (processor_cpuinfo.c) where the build has
 * it, else nothing (processor_unknown.c). */

typedef struct processor {
    char name[128];
    char features[512]; /* names separated by spaces */
    uint32_t cores;     /* 0: unknown, as in the following */
    uint32_t logical_processors;
    uint64_t cache_bytes[3]; /* of one L1 data, L2, L3 cache */
} processor;

/* False, and *reason a constant string, where nothing is known. */
bool processor_describe(processor *out, const char **reason);

#endif
