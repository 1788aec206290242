/* SPDX-License-Identifier: MIT */
/*
 * What this machine's processor is. An x86 processor tells its name by CPUID. The sizes of caches
 * are those that Linux has for the first processor.
 */
#include "processor.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

static void name_core(processor *out) {
    char name[49] = "x86 processor";
    for (unsigned i = 0; i < 3; i++) {
        unsigned part[4];
        if (!__get_cpuid(0x80000002u + i, &part[0], &part[1], &part[2], &part[3]))
            break;
        memcpy(name + sizeof part * i, part, sizeof part);
    }
    snprintf(out->name, sizeof out->name, "%s", name + strspn(name, " "));
}

#else

static void name_core(processor *out) {
#ifdef __aarch64__
    snprintf(out->name, sizeof out->name, "AArch64 processor");
#else
    snprintf(out->name, sizeof out->name, "unknown processor");
#endif
}

#endif

/* Reads "name" of that cache of the first processor. Returns false if there is no such file. */
static bool read_cache(unsigned index, const char *name, const char *format, void *value) {
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index, name);
    FILE *file = fopen(path, "r");
    const bool read = file && fscanf(file, format, value) == 1;
    if (file)
        fclose(file);
    return read;
}

static void list_caches(processor *out) {
    unsigned level, kibibytes;
    char type[16];
    for (unsigned i = 0; read_cache(i, "level", "%u", &level); i++)
        if (level >= 1 && level <= 3 && read_cache(i, "type", "%15s", type) &&
            strcmp(type, "Instruction") != 0 && read_cache(i, "size", "%uK", &kibibytes))
            out->cache_bytes[level - 1] = (uint64_t)kibibytes * 1024;
}

void processor_describe(processor *out) {
    *out = (processor){0};
    name_core(out);
    list_caches(out);
#ifdef _SC_NPROCESSORS_ONLN
    out->logical_processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
#endif
}
