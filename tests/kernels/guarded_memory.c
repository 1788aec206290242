/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

bool guarded_memory_map(guarded_memory *memory, size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t whole = (bytes + page - 1) / page * page;
    unsigned char *all =
        mmap(NULL, whole + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, whole, PROT_READ | PROT_WRITE) != 0)
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
