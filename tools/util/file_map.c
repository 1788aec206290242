/* SPDX-License-Identifier: MIT */
/*
 * Files that are mapped. If a mapped file becomes shorter, reading its lost pages raises SIGBUS.
 * The handler maps zeros there and notes it, so that the program goes on until file_check_maps
 * reports it.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
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

tool_status file_check_maps(tool_error *error) {
    (void)error;
    return TOOL_OK;
}

#else

#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* Smaller files are read, which takes no longer. */
#define MAPPED_FROM (1 << 12)

/* More files than any command maps at once; what is beyond is read. Only the main thread changes
 * the table. */
static struct {
    char *begin; /* NULL: not in use */
    size_t size;
    char path[400];
    volatile sig_atomic_t shorter;
} maps[64];

#define MAPS (sizeof maps / sizeof maps[0])

/* The number of the mapping that holds an address, or MAPS. */
static size_t find_map(const char *at) {
    size_t i = 0;
    while (i < MAPS && (!maps[i].begin || at < maps[i].begin || at >= maps[i].begin + maps[i].size))
        i++;
    return i;
}

/* Zeros from the page on that could not be read. Another fault has another cause. */
static void replace_lost_pages(int number, siginfo_t *info, void *context) {
    const size_t i = find_map(info->si_addr);
    (void)context;
    if (i < MAPS) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        const size_t kept = (size_t)((char *)info->si_addr - maps[i].begin) / page * page;
        maps[i].shorter = 1;
        if (mmap(maps[i].begin + kept, maps[i].size - kept, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
            return;
    }
    (void)signal(number, SIG_DFL); /* the access is repeated, and ends the program */
}

/* NULL where the file is to be read instead. */
static char *map_regular(const char *path, size_t *size) {
    struct stat status;
    struct sigaction action = {.sa_sigaction = replace_lost_pages, .sa_flags = SA_SIGINFO};
    char *begin = NULL;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size >= MAPPED_FROM && (uint64_t)status.st_size <= SIZE_MAX / 2) {
        *size = (size_t)status.st_size;
        begin =
            mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
    }
    if (descriptor >= 0)
        close(descriptor);
    sigemptyset(&action.sa_mask);
    if (!begin || begin == MAP_FAILED || sigaction(SIGBUS, &action, NULL) != 0)
        return NULL;
    return begin;
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
    maps[i].shorter = 0;
    strncpy(maps[i].path, path, sizeof maps[i].path - 1);
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

tool_status file_check_maps(tool_error *error) {
    for (size_t i = 0; i < MAPS; i++)
        if (maps[i].begin && maps[i].shorter)
            return tool_fail(error, TOOL_ENVIRONMENT, "%s: became shorter while it was read",
                             maps[i].path);
    return TOOL_OK;
}

#endif
