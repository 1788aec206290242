/* SPDX-License-Identifier: MIT */
/*
 * Files that are mapped. They stay open, so that file_check_maps can ask whether somebody wrote to
 * them meanwhile. If one becomes shorter, reading its lost pages raises SIGBUS. The handler maps
 * zeros there, so that the program goes on until the check reports it.
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
    int descriptor;
    struct stat status; /* when it was mapped */
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
        if (mmap(maps[i].begin + kept, maps[i].size - kept, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
            return;
    }
    (void)signal(number, SIG_DFL); /* the access is repeated, and ends the program */
}

/* Maps an open file as number i. False where the file is to be read instead. */
static bool map_regular(size_t i, int descriptor) {
    struct stat *status = &maps[i].status;
    struct sigaction action = {.sa_sigaction = replace_lost_pages, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    if (fstat(descriptor, status) != 0 || !S_ISREG(status->st_mode) ||
        status->st_size < MAPPED_FROM || (uint64_t)status->st_size > SIZE_MAX / 2 ||
        sigaction(SIGBUS, &action, NULL) != 0)
        return false;
    maps[i].size = (size_t)status->st_size;
    void *begin = mmap(NULL, maps[i].size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                       descriptor, 0);
    maps[i].begin = begin == MAP_FAILED ? NULL : begin;
    maps[i].descriptor = descriptor;
    return maps[i].begin;
}

tool_status file_map(const char *path, file_contents *out, tool_error *error) {
    struct stat status;
    size_t i = 0;
    while (i < MAPS && maps[i].begin)
        i++;
    /* Opening some devices has effects: file_read tells what this is. */
    if (i == MAPS || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return file_read(path, out, error);
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 || !map_regular(i, descriptor)) {
        if (descriptor >= 0)
            close(descriptor);
        return file_read(path, out, error);
    }
    strncpy(maps[i].path, path, sizeof maps[i].path - 1);
    *out = (file_contents){
        .bytes = (unsigned char *)maps[i].begin, .size = maps[i].size, .mapped = true};
    return TOOL_OK;
}

void file_free(void *bytes) {
    const size_t i = find_map(bytes);
    if (i == MAPS) {
        memory_free(bytes);
        return;
    }
    munmap(maps[i].begin, maps[i].size);
    close(maps[i].descriptor);
    maps[i].begin = NULL;
}

void file_drop(const void *bytes) {
    const size_t i = find_map(bytes);
    if (i < MAPS && !ELEMENT_BIG_ENDIAN) /* where elements are swapped */
        (void)madvise(maps[i].begin, maps[i].size, MADV_DONTNEED);
}

static bool is_changed(size_t i) {
    const struct stat *before = &maps[i].status;
    struct stat now;
    return fstat(maps[i].descriptor, &now) != 0 || now.st_size != before->st_size ||
           now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != before->st_mtim.tv_nsec;
}

tool_status file_check_maps(tool_error *error) {
    for (size_t i = 0; i < MAPS; i++)
        if (maps[i].begin && is_changed(i))
            return tool_fail(error, TOOL_ENVIRONMENT, "%s: was changed while it was read",
                             maps[i].path);
    return TOOL_OK;
}

#endif
