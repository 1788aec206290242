/* SPDX-License-Identifier: MIT */
/* Large blocks of memory, and how much of it there is. */
#include "memory_limit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif

/* Blocks from this size on are in huge pages, as NumPy's are: with pages of 4 KiB, page faults take
 * as long as writing, and a benchmark of a column measures the translation of addresses. */
#define HUGE_PAGES_FROM (UINT64_C(4) << 20)

/* madvise() takes whole pages. */
#define SMALL_PAGE UINT64_C(4096)

/* A cache line: vectors are never in two of them. */
#define LEAST_ALIGNMENT 64

static uint64_t chosen_limit; /* 0: none */

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

void memory_set_limit(uint64_t bytes) {
    chosen_limit = bytes;
}

void *memory_allocate(uint64_t size) {
    return memory_allocate_aligned(size, LEAST_ALIGNMENT);
}

void *memory_allocate_aligned(uint64_t size, uint32_t alignment) {
    const size_t step = alignment > LEAST_ALIGNMENT ? alignment : LEAST_ALIGNMENT;
    const uint64_t limit = chosen_limit ? chosen_limit : physical_memory();
    if ((limit && size > limit) || size > SIZE_MAX / 2)
        return NULL;
    const size_t whole = ((size_t)size / LEAST_ALIGNMENT + 1) * LEAST_ALIGNMENT;
#ifdef _WIN32
    return _aligned_malloc(whole, step);
#else
    void *memory;
    if (posix_memalign(&memory, step, whole) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (size >= HUGE_PAGES_FROM) {
        const size_t before = -(uintptr_t)memory % SMALL_PAGE; /* up to the first whole page */
        const size_t pages = (whole - before) / SMALL_PAGE * SMALL_PAGE;
        (void)madvise((char *)memory + before, pages,
                      MADV_HUGEPAGE); /* a wish: refusal is no error */
    }
#endif
    return memory;
#endif
}

void memory_free(void *memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}

#define MIB (UINT64_C(1) << 20)

/* Memory that is free or can be freed without swapping (Linux: MemAvailable); 0 where unknown. */
static uint64_t system_available(void) {
#ifdef _WIN32
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullAvailPhys : 0;
#else
    char line[128];
    uint64_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1) /* NOLINT(cert-err34-c) */
            break;
    if (file)
        fclose(file);
    return kib * 1024;
#endif
}

static uint64_t number_in(const char *path, uint64_t otherwise) {
    uint64_t number = 0;
    FILE *file = fopen(path, "r");
    bool found = file && fscanf(file, "%" SCNu64, &number) == 1; /* NOLINT(cert-err34-c) */
    if (file)
        fclose(file);
    return found ? number : otherwise;
}

/* What a container's control group (cgroup v2) leaves. The word "max", no number, means no limit.
 */
static uint64_t group_available(void) {
    uint64_t most = number_in("/sys/fs/cgroup/memory.max", UINT64_MAX);
    uint64_t used = number_in("/sys/fs/cgroup/memory.current", 0);
    return most > used ? most - used : 0;
}

static uint64_t machine_available(void) {
    const uint64_t physical = physical_memory();
    const uint64_t system = system_available();
    const uint64_t group = group_available();
    uint64_t available = physical ? physical : UINT64_MAX / 2;
    available = system && system < available ? system : available;
    return group < available ? group : available;
}

uint64_t memory_room(void) {
    return chosen_limit ? chosen_limit : machine_available() / 11 * 10;
}

/* Below this the system is not asked how much is free: the question takes longer than the use. */
#define SMALL (UINT64_C(16) << 20)

tool_status memory_check(uint64_t held, uint64_t needed, tool_error *error) {
    if (chosen_limit && (needed > chosen_limit || held > chosen_limit - needed)) {
        return tool_fail(error, TOOL_ENVIRONMENT,
                         "needs %" PRIu64 " bytes of memory, and --memory allows %" PRIu64,
                         held + needed, chosen_limit);
    }
    const uint64_t available = needed > SMALL ? machine_available() : UINT64_MAX;
    if (needed <= available && available - needed >= needed / 10)
        return TOOL_OK;
    return tool_fail(error, TOOL_ENVIRONMENT,
                     "needs %" PRIu64 " MiB of memory, and %" PRIu64 " MiB are available",
                     needed / MIB + 1, available / MIB);
}

void *memory_for(uint64_t size, const char *name, tool_error *error) {
    tool_error why;
    void *memory = NULL;
    if (memory_check(0, size, &why) != TOOL_OK)
        tool_fail(error, TOOL_ENVIRONMENT, "%.400s: %s", name, why.message);
    else if (!(memory = memory_allocate(size)))
        tool_fail(error, TOOL_ENVIRONMENT, "%.400s: no memory for %" PRIu64 " bytes", name, size);
    return memory;
}
