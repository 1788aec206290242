/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "guarded_memory.h"

#ifdef _WIN32

#include <windows.h>

static size_t page_size(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

/* Addresses that nothing may touch; NULL where there are none. */
static unsigned char *reserve(size_t bytes) {
    return VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_NOACCESS);
}

static bool make_writable(unsigned char *begin, size_t bytes) {
    return VirtualAlloc(begin, bytes, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

#else

#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Addresses that nothing may touch; NULL where there are none. */
static unsigned char *reserve(size_t bytes) {
    void *all = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return all == MAP_FAILED ? NULL : all;
}

static bool make_writable(unsigned char *begin, size_t bytes) {
    return mprotect(begin, bytes, PROT_READ | PROT_WRITE) == 0;
}

#endif

bool guarded_memory_map(guarded_memory *memory, size_t bytes) {
    const size_t page = page_size();
    const size_t whole = (bytes + page - 1) / page * page;
    unsigned char *all = reserve(whole + 2 * page);
    if (!all || !make_writable(all + page, whole))
        return false;
    memory->begin = all + page;
    memory->end = memory->begin + whole;
    return true;
}

unsigned char *guarded_memory_place(const guarded_memory *memory, size_t bytes, size_t offset,
                                    bool at_end) {
    const size_t room = (size_t)(memory->end - memory->begin);
    if (bytes > room || offset > room - bytes)
        return NULL;
    return at_end ? memory->end - bytes - offset : memory->begin + offset;
}
