/* SPDX-License-Identifier: MIT */
/* Counts calls, decides which one fails, and tells whose calls they are from the addresses of their
 * callers. */
#define _GNU_SOURCE
#include "fault_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RANGES 16

/* The owner of the code at an address. */
typedef enum code_owner {
    OWNER_OURS,
    OWNER_LIBC, /* this library counts too: they call for others */
    OWNER_OTHERS
} code_owner;

typedef struct address_range {
    uintptr_t first;
    uintptr_t end;
    code_owner owner;
} address_range;

static bool armed;
static fault_kind chosen_kind;
static unsigned long chosen_call;
static unsigned long calls;
static address_range ranges[RANGES];
static size_t range_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *fault_next(const char *name, void **found) {
    if (!*found)
        *found = dlsym(RTLD_NEXT, name);
    if (!*found)
        abort();
    return *found;
}

bool fault_loses_writes(void) {
    return armed && getenv("CUMSUM_FAULT_HIDE");
}

/* pthreadpool takes memory for the program. The program has an empty name. */
static code_owner owner_of_library(const char *name) {
    static const char *const ours[] = {"/libcumsum", "/libpthreadpool"};
    if (!name[0])
        return OWNER_OURS;
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strstr(name, ours[i]))
            return OWNER_OURS;
    return strstr(name, "/libc.so") || strstr(name, "fault_calls") ? OWNER_LIBC : OWNER_OTHERS;
}

static int note_range(struct dl_phdr_info *info, size_t size, void *state) {
    (void)size;
    (void)state;
    const code_owner owner = owner_of_library(info->dlpi_name);
    for (int i = 0; i < info->dlpi_phnum && owner != OWNER_OTHERS; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_X && range_count < RANGES) {
            const uintptr_t first = info->dlpi_addr + segment->p_vaddr;
            ranges[range_count++] = (address_range){first, first + segment->p_memsz, owner};
        }
    }
    return 0;
}

static code_owner owner_of(const void *address) {
    for (size_t i = 0; i < range_count; i++)
        if ((uintptr_t)address >= ranges[i].first && (uintptr_t)address < ranges[i].end)
            return ranges[i].owner;
    return OWNER_OTHERS;
}

/* A call by libc belongs to the function that called libc. */
bool fault_is_counted(const void *caller) {
    if (!armed)
        return false;
    const void *site = caller;
    if (owner_of(site) == OWNER_LIBC) {
        void *frames[32];
        const int count = backtrace(frames, 32);
        for (int i = 0; i < count && owner_of(site) == OWNER_LIBC; i++)
            site = frames[i];
    }
    return owner_of(site) == OWNER_OURS;
}

/* Writes with system calls, because the functions that write files are counted themselves. */
static void write_log(const char *name) {
    const char *path = getenv("CUMSUM_FAULT_LOG");
    char line[80];
    if (!path)
        return;
    const int length = snprintf(line, sizeof line, "%lu %s\n", calls, name);
    const long file =
        syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || syscall(SYS_write, file, line, length) != length)
        _exit(99);
    syscall(SYS_close, file);
}

static int error_of(fault_kind kind, const char *name) {
    if (kind == FAULT_MEMORY)
        return ENOMEM;
    return strstr(name, "write") ? ENOSPC : EIO;
}

bool fault_here(fault_kind kind, const char *name, const void *caller) {
    if (kind != chosen_kind || !fault_is_counted(caller))
        return false;
    pthread_mutex_lock(&lock);
    const bool failing = ++calls == chosen_call;
    pthread_mutex_unlock(&lock);
    if (failing) {
        write_log(name);
        errno = error_of(kind, name);
    }
    return failing;
}

static void disarm_copy(void) {
    armed = false;
}

__attribute__((constructor)) static void begin(int argc, char **argv) {
    const char *command = getenv("CUMSUM_FAULT_COMMAND");
    const char *kind = getenv("CUMSUM_FAULT_KIND");
    const char *call = getenv("CUMSUM_FAULT_CALL");
    if (!command || !kind || !call || argc < 2 || strcmp(argv[1], command) != 0)
        return;
    chosen_kind = kind[0] == 'm' ? FAULT_MEMORY : FAULT_FILES;
    chosen_call = strtoul(call, NULL, 10);
    dl_iterate_phdr(note_range, NULL);
    (void)backtrace((void *[1]){NULL}, 1); /* the first one allocates */
    if (chosen_kind == FAULT_FILES)
        fault_take_stdout();
    pthread_atfork(NULL, NULL, disarm_copy); /* between fork and exec nothing is counted twice */
    armed = true;
}

__attribute__((destructor)) static void end(void) {
    if (!armed)
        return;
    armed = false; /* what follows is not the program's */
    if (chosen_call == 0)
        write_log("counted");
}
