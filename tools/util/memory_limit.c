/* SPDX-License-Identifier: MIT */
/*
 * Large blocks of memory, with a limit and a cache. Every block has a memory_header before it,
 * which holds its size: so memory_release needs no size, and a block can be kept for the next
 * caller.
 */
#include "memory_limit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "locks.h"

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

/* Before a block of this size is allocated, the unused ones are freed. */
#define LARGE (UINT64_C(512) << 20)

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

/* Enough for the three buffers and the data of a few cases, twice over: a case that fails has a
 * second set. */
#define KEPT_BLOCKS 16
/* The C library itself keeps smaller blocks. */
#define KEPT_LEAST (UINT64_C(64) << 10)
#define KEPT_MOST  (UINT64_C(2) << 30) /* all together */

static tool_lock kept_lock = TOOL_LOCK;
static memory_header *kept[KEPT_BLOCKS];
static uint64_t kept_size;
static uint64_t kept_most = KEPT_MOST;

static memory_header *take(size_t i) {
    memory_header *block = kept[i];
    kept_size -= block->size;
    kept[i] = NULL;
    return block;
}

memory_header *memory_kept_take(uint64_t size) {
    size_t best = KEPT_BLOCKS;
    tool_lock_take(&kept_lock);
    for (size_t i = 0; i < KEPT_BLOCKS; i++)
        if (kept[i] && kept[i]->size >= size && kept[i]->size / 2 <= size &&
            (best == KEPT_BLOCKS || kept[i]->size < kept[best]->size))
            best = i;
    memory_header *block = best < KEPT_BLOCKS ? take(best) : NULL;
    tool_lock_leave(&kept_lock);
    return block;
}

static bool give(memory_header *block) {
    if (block->size < KEPT_LEAST || block->size > kept_most - kept_size)
        return false;
    for (size_t i = 0; i < KEPT_BLOCKS; i++) {
        if (!kept[i]) {
            kept[i] = block;
            kept_size += block->size;
            return true;
        }
    }
    return false;
}

bool memory_kept_give(memory_header *block) {
    tool_lock_take(&kept_lock);
    const bool given = give(block);
    tool_lock_leave(&kept_lock);
    return given;
}

memory_header *memory_kept_drop(void) {
    memory_header *block = NULL;
    tool_lock_take(&kept_lock);
    for (size_t i = 0; i < KEPT_BLOCKS && !block; i++)
        block = kept[i] ? take(i) : NULL;
    tool_lock_leave(&kept_lock);
    return block;
}

static uint64_t chosen_limit;
static bool keeping;

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
    if (chosen_limit > 0)
        return chosen_limit;
    uint64_t physical = physical_memory();
    return physical ? physical : UINT64_MAX / 2;
}

void memory_set_limit(uint64_t bytes) {
    chosen_limit = bytes;
}

uint64_t memory_chosen_limit(void) {
    return chosen_limit;
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

static void *allocate_block(size_t size, size_t alignment) {
#ifdef _WIN32
    return _aligned_malloc(size, alignment);
#else
    void *memory = aligned_alloc(alignment, size);
    ask_for_huge_pages(memory, size);
    return memory;
#endif
}

static void release_block(memory_header *block) {
    unsigned char *whole = (unsigned char *)block - block->before;
#ifdef _WIN32
    _aligned_free(whole);
#else
    free(whole);
#endif
}

static void drop_kept(void) {
    memory_header *block;
    while ((block = memory_kept_drop()))
        release_block(block);
}

void memory_keep(uint32_t processes) {
    keeping = !SANITIZED;
    kept_most = KEPT_MOST / processes;
}

void *memory_allocate(uint64_t size) {
    if (size > memory_limit() || size > SIZE_MAX / 2)
        return NULL;
    const uint64_t whole = (size / 64 + 1) * 64;
    memory_header *block = memory_kept_take(whole);
    if (!block) {
        if (whole >= LARGE)
            drop_kept();
        block = allocate_block((size_t)(whole + sizeof *block), sizeof *block);
        if (!block)
            return NULL;
        block->size = whole;
        block->before = 0;
    }
    return block + 1;
}

/* The header is at the end of the gap that the alignment leaves before the block. */
void *memory_allocate_aligned(uint64_t size, uint32_t alignment) {
    if (alignment <= sizeof(memory_header))
        return memory_allocate(size);
    if (size > memory_limit() || size > SIZE_MAX / 2 - alignment)
        return NULL;
    const size_t whole = ((size_t)size / alignment + 1) * alignment;
    unsigned char *memory = allocate_block(alignment + whole, alignment);
    if (!memory)
        return NULL;
    memory_header *block = (memory_header *)(memory + alignment) - 1;
    block->size = whole;
    block->before = alignment - sizeof *block;
    return block + 1;
}

void memory_release(void *memory) {
    memory_header *block = memory ? (memory_header *)memory - 1 : NULL;
    if (block && !(keeping && memory_kept_give(block)))
        release_block(block);
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

/* Less than this is not asked of the system, which would take longer than to use it. */
#define SMALL (UINT64_C(16) << 20)

tool_status memory_check(uint64_t held, uint64_t needed, tool_error *error) {
    const uint64_t limit = memory_limit();
    if (chosen_limit && (needed > limit || held > limit - needed)) {
        return tool_fail(error, TOOL_ENVIRONMENT,
                         "needs %" PRIu64 " bytes of memory, and --memory allows %" PRIu64,
                         held + needed, limit);
    }
    return memory_check_machine(needed, error);
}

tool_status memory_check_machine(uint64_t needed, tool_error *error) {
    const uint64_t available = needed > SMALL ? machine_available() : UINT64_MAX;
    if (needed <= available && available - needed >= needed / 10)
        return TOOL_OK;
    return tool_fail(error, TOOL_ENVIRONMENT,
                     "needs %" PRIu64 " MiB of memory, and %" PRIu64 " MiB are available",
                     needed / MIB + 1, available / MIB);
}
