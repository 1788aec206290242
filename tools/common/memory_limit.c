/* SPDX-License-Identifier: MIT */
#include "memory_limit.h"

#include <stdlib.h>
#include <unistd.h>

static uint64_t chosen_limit;

uint64_t memory_limit(void) {
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    if (chosen_limit > 0) {
        return chosen_limit;
    }
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX / 2;
}

void memory_set_limit(uint64_t bytes) {
    chosen_limit = bytes;
}

void *memory_allocate(uint64_t size) {
    if (size > memory_limit() || size > SIZE_MAX / 2) {
        return NULL;
    }
    return aligned_alloc(64, ((size_t)size / 64 + 1) * 64);
}
