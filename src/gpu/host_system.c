/* SPDX-License-Identifier: MIT */
/*
 * What is asked of Windows and of other systems. Nothing of Direct3D, DirectML, Vulkan or CUDA is
 * linked, so that the library loads on systems that have none of them.
 *
 * C converts no object pointer to a function pointer, so addresses are copied as memory.
 */
#define _GNU_SOURCE /* dladdr, clock_gettime, nanosleep */
#include "host_system.h"

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static void *load_library(const char *name) {
    return (void *)LoadLibraryA(name);
}

static void describe_error(char *text, size_t size) {
    snprintf(text, size, "error %lu", GetLastError());
}

static bool find_in_library(void *library, const library_function *function) {
    const FARPROC found = GetProcAddress((HMODULE)library, function->name);
    memcpy(function->address, &found, sizeof found);
    return found != NULL;
}

void cumsum_library_close(void *library) {
    if (library)
        FreeLibrary((HMODULE)library);
}

void cumsum_library_of(const void *code, char *name, size_t size) {
    (void)code;
    snprintf(name, size, "%s", "");
}

uint64_t cumsum_host_nanoseconds(void) {
    LARGE_INTEGER ticks, of_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&of_second);
    const uint64_t now = (uint64_t)ticks.QuadPart, second = (uint64_t)of_second.QuadPart;
    return now / second * 1000000000 + now % second * 1000000000 / second;
}

void cumsum_host_pause(uint32_t microseconds) {
    Sleep(microseconds / 1000 ? microseconds / 1000 : 1);
}
#else
#include <dlfcn.h>
#include <time.h>

static void *load_library(const char *name) {
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void describe_error(char *text, size_t size) {
    const char *reason = dlerror();
    snprintf(text, size, "%s", reason ? reason : "no reason given");
}

static bool find_in_library(void *library, const library_function *function) {
    void *found = dlsym(library, function->name);
    memcpy(function->address, &found, sizeof found);
    return found != NULL;
}

void cumsum_library_close(void *library) {
    if (library)
        dlclose(library);
}

void cumsum_library_of(const void *code, char *name, size_t size) {
    Dl_info info;
    const char *path = dladdr(code, &info) && info.dli_fname ? info.dli_fname : "";
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
}

uint64_t cumsum_host_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void cumsum_host_pause(uint32_t microseconds) {
    const struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    nanosleep(&pause, NULL);
}
#endif

static gpu_status open_library(const char *name, void **library, gpu_failure *why) {
    *library = load_library(name);
    if (*library)
        return GPU_OK;
    char reason[160];
    describe_error(reason, sizeof reason);
    /* dlerror usually begins with the library's name. vkd3d 1.2 needs an executable stack. */
    const bool named = strstr(reason, name) != NULL;
    const bool stack = strstr(reason, "executable stack") != NULL;
    return cumsum_gpu_refuse(why, GPU_UNAVAILABLE, "%s%s%s%s", named ? "" : name, named ? "" : ": ",
                             reason,
                             stack ? "; the environment variable"
                                     " GLIBC_TUNABLES=glibc.rtld.execstack=2 allows it"
                                   : "");
}

gpu_status cumsum_library_load(const char *name, const library_function *functions, size_t count,
                               void **library, gpu_failure *why) {
    gpu_status status = open_library(name, library, why);
    for (size_t i = 0; i < count && status == GPU_OK; i++) {
        if (find_in_library(*library, &functions[i]))
            continue;
        status = cumsum_gpu_refuse(why, GPU_UNAVAILABLE, "%s has no %s", name, functions[i].name);
        cumsum_library_close(*library);
        *library = NULL;
    }
    return status;
}
