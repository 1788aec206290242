/* SPDX-License-Identifier: MIT */
/*
 * Loading libraries, on Windows and elsewhere. Nothing of Direct3D, DirectML or Vulkan is linked,
 * so that the library loads on systems that have none of them.
 *
 * C converts no object pointer to a function pointer, so addresses are copied as memory.
 */
#define _GNU_SOURCE /* dladdr */
#include "dynamic_library.h"

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

static bool find(void *library, const char *symbol, void *function) {
    FARPROC found = GetProcAddress((HMODULE)library, symbol);
    memcpy(function, &found, sizeof found);
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
#else
#include <dlfcn.h>

static void *load_library(const char *name) {
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void describe_error(char *text, size_t size) {
    const char *reason = dlerror();
    snprintf(text, size, "%s", reason ? reason : "no reason given");
}

static bool find(void *library, const char *symbol, void *function) {
    void *found = dlsym(library, symbol);
    memcpy(function, &found, sizeof found);
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
#endif

gpu_status cumsum_library_open(const char *name, void **library, gpu_failure *why) {
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

gpu_status cumsum_library_find(void *library, const char *name, const char *symbol, void *function,
                               gpu_failure *why) {
    if (find(library, symbol, function))
        return GPU_OK;
    return cumsum_gpu_refuse(why, GPU_UNAVAILABLE, "%s has no %s", name, symbol);
}
