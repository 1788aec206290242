/* SPDX-License-Identifier: MIT */
#include "memory_limit.h"

#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

static uint64_t chosen_limit;

/* 0: unknown. */
static uint64_t physical_memory(void) {
#ifdef _WIN32
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
#else
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
#endif
}

uint64_t memory_limit(void) {
    if (chosen_limit > 0) {
        return chosen_limit;
    }
    uint64_t physical = physical_memory();
    return physical ? physical : UINT64_MAX / 2;
}

void memory_set_limit(uint64_t bytes) {
    chosen_limit = bytes;
}

void *memory_allocate(uint64_t size) {
    if (size > memory_limit() || size > SIZE_MAX / 2) {
        return NULL;
    }
    size_t whole = ((size_t)size / 64 + 1) * 64;
#ifdef _WIN32
    return _aligned_malloc(whole, 64);
#else
    return aligned_alloc(64, whole);
#endif
}

void memory_release(void *memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}
