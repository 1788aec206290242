/* SPDX-License-Identifier: MIT */
#include "memory_free.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "memory_limit.h"

#define MIB (UINT64_C(1) << 20)

/* What /proc/meminfo calls MemAvailable: free, or only holding what can be read again. */
static uint64_t system_available(void) {
    char line[128];
    uint64_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1) /* NOLINT(cert-err34-c) */
            break;
    if (file)
        fclose(file);
    return kib * 1024;
}

static uint64_t number_in(const char *path, uint64_t otherwise) {
    uint64_t number = 0;
    FILE *file = fopen(path, "r");
    bool found = file && fscanf(file, "%" SCNu64, &number) == 1; /* NOLINT(cert-err34-c) */
    if (file)
        fclose(file);
    return found ? number : otherwise;
}

/* What the control group of a container leaves; "max" is no number, and no limit. */
static uint64_t group_available(void) {
    uint64_t most = number_in("/sys/fs/cgroup/memory.max", UINT64_MAX);
    uint64_t used = number_in("/sys/fs/cgroup/memory.current", 0);
    return most > used ? most - used : 0;
}

uint64_t memory_available(void) {
    uint64_t available = memory_limit();
    uint64_t system = system_available();
    uint64_t group = group_available();
    available = system && system < available ? system : available;
    return group < available ? group : available;
}

tool_status memory_check(uint64_t needed, tool_error *error) {
    uint64_t available = memory_available();
    if (needed <= available && available - needed >= needed / 10)
        return TOOL_OK;
    return tool_fail(error, TOOL_ENVIRONMENT,
                     "needs %" PRIu64 " MiB of memory, and %" PRIu64 " MiB are available",
                     needed / MIB + 1, available / MIB);
}
