/* SPDX-License-Identifier: MIT */
/* Files that are mapped. If a mapped file becomes shorter, reading its lost pages ends the program:
 * SIGBUS. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "element.h"
#include "file.h"
#include "memory_limit.h"

#if defined(_WIN32) || defined(__EMSCRIPTEN__)

tool_status file_map(const char *path, file_contents *out, tool_error *error) {
    return file_read(path, out, error);
}

void file_free(void *bytes) {
    memory_free(bytes);
}

void file_drop(const void *bytes) {
    (void)bytes;
}

#else

#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* Smaller files are read, which takes no longer. */
#define MAPPED_FROM (1 << 12)

/* More files than any command maps at once; what is beyond is read. Only the main thread uses the
 * table. */
static struct {
    char *begin; /* NULL: not in use */
    size_t size;
} maps[64];

#define MAPS (sizeof maps / sizeof maps[0])

/* The number of the mapping that holds an address, or MAPS. */
static size_t find_map(const char *at) {
    size_t i = 0;
    while (i < MAPS && (!maps[i].begin || at < maps[i].begin || at >= maps[i].begin + maps[i].size))
        i++;
    return i;
}

/* NULL where the file is to be read instead. */
static char *map_regular(const char *path, size_t *size) {
    struct stat status;
    char *begin = MAP_FAILED;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size >= MAPPED_FROM && (uint64_t)status.st_size <= SIZE_MAX / 2) {
        *size = (size_t)status.st_size;
        begin =
            mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
    }
    if (descriptor >= 0)
        close(descriptor);
    return begin == MAP_FAILED ? NULL : begin;
}

tool_status file_map(const char *path, file_contents *out, tool_error *error) {
    struct stat status;
    size_t i = 0;
    while (i < MAPS && maps[i].begin)
        i++;
    /* Opening some devices has effects: file_read tells what this is. */
    if (i == MAPS || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return file_read(path, out, error);
    char *begin = map_regular(path, &out->size);
    if (!begin)
        return file_read(path, out, error);
    maps[i].size = out->size;
    maps[i].begin = begin;
    out->bytes = (unsigned char *)begin;
    out->mapped = true;
    return TOOL_OK;
}

void file_free(void *bytes) {
    const size_t i = find_map(bytes);
    if (i == MAPS) {
        memory_free(bytes);
        return;
    }
    munmap(maps[i].begin, maps[i].size);
    maps[i].begin = NULL;
}

void file_drop(const void *bytes) {
    const size_t i = find_map(bytes);
    if (i < MAPS && !ELEMENT_BIG_ENDIAN) /* where elements are swapped */
        (void)madvise(maps[i].begin, maps[i].size, MADV_DONTNEED);
}

#endif
