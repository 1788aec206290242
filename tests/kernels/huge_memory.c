/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create, MAP_NORESERVE, MAP_POPULATE */
#include "huge_memory.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

unsigned char *huge_memory_map(uint64_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void huge_memory_unmap(unsigned char *memory, uint64_t bytes) {
    if (memory)
        munmap(memory, bytes);
}

/* Populated: millions of page faults, one by one, take as long as all that is computed. */
unsigned char *huge_memory_repeat(uint64_t bytes, uint64_t window) {
    unsigned char *memory = huge_memory_map(bytes);
    const int file = memfd_create("window", 0);
    int ok = memory && file >= 0 && ftruncate(file, (off_t)window) == 0;
    for (uint64_t at = 0; ok && at < bytes; at += window)
        ok = mmap(memory + at, window, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED | MAP_POPULATE, file, 0) != MAP_FAILED;
    if (file >= 0)
        close(file); /* the mappings keep it */
    if (ok)
        return memory;
    huge_memory_unmap(memory, bytes);
    return NULL;
}

uint64_t huge_memory_available(void) {
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    uint64_t kib = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib * 1024;
}
