/* SPDX-License-Identifier: MIT */
#include "memory_limit.h"

#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif

/* From this size on memory is asked for in huge pages, as NumPy does: with pages of 4 KiB making
 * them takes as long as writing to them, and what is measured of a column is the translation of
 * addresses. */
#define HUGE_PAGES_FROM (UINT64_C(4) << 20)

/* madvise() takes whole pages. */
#define SMALL_PAGE UINT64_C(4096)

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

#ifndef _WIN32
static void ask_for_huge_pages(unsigned char *memory, uint64_t size) {
#ifdef MADV_HUGEPAGE
    if (memory && size >= HUGE_PAGES_FROM) {
        uint64_t before = -(uintptr_t)memory % SMALL_PAGE; /* up to the first whole page */
        uint64_t whole = (size - before) / SMALL_PAGE * SMALL_PAGE;
        (void)madvise(memory + before, whole, MADV_HUGEPAGE); /* a wish: refusal is no error */
    }
#else
    (void)memory;
    (void)size;
#endif
}
#endif

void *memory_allocate(uint64_t size) {
    if (size > memory_limit() || size > SIZE_MAX / 2) {
        return NULL;
    }
    size_t whole = ((size_t)size / 64 + 1) * 64;
#ifdef _WIN32
    return _aligned_malloc(whole, 64);
#else
    void *memory = aligned_alloc(64, whole);
    ask_for_huge_pages(memory, size);
    return memory;
#endif
}

void memory_release(void *memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}
