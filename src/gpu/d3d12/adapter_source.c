/* SPDX-License-Identifier: MIT */
/*
 * Opens and closes the list of adapters, whichever library it comes from. The library stays loaded
 * as long as the adapters' objects live.
 */
#include "adapter_source.h"

#include <stdio.h>

#include "dynamic_library.h"

/* "31.0.15.2824": the highest 16 bits first, as Windows writes it. */
static void write_version(gpu_adapter *a, uint64_t version) {
    if (version) {
        snprintf(a->driver, sizeof a->driver, "%u.%u.%u.%u", (unsigned)(version >> 48),
                 (unsigned)(version >> 32 & 0xFFFF), (unsigned)(version >> 16 & 0xFFFF),
                 (unsigned)(version & 0xFFFF));
    }
}

/* Hardware before software, so that the default adapter is hardware if there is any. The system's
 * order is kept otherwise. */
static void set_order(adapter_source *source) {
    const adapter_source from = *source;
    size_t count = 0;
    for (int software = 0; software < 2; software++) {
        for (size_t i = 0; i < from.count; i++) {
            if (from.adapters[i].software == (software != 0)) {
                source->adapters[count] = from.adapters[i];
                source->adapters[count].index = (uint32_t)count;
                write_version(&source->adapters[count], from.versions[i]);
                source->objects[count++] = from.objects[i];
            }
        }
    }
}

gpu_status adapter_source_open(adapter_source *source, gpu_failure *why) {
    const adapter_system *system = &adapter_system_here;
    create_factory_function create;
    *source = (adapter_source){0};
    gpu_status status = cumsum_library_open(system->library, &source->library, why);
    if (status == GPU_OK) {
        status = cumsum_library_find(source->library, system->library, system->create_factory,
                                     &create, why);
    }
    HRESULT hr = status == GPU_OK ? system->list(source, create) : 0;
    if (status == GPU_OK && !source->count) {
        status = GPU_UNAVAILABLE;
        *why = (gpu_failure){.status = GPU_UNAVAILABLE, .hresult = hr};
        snprintf(why->message, sizeof why->message, "%s lists no adapter (0x%08x)", system->library,
                 (unsigned)hr);
    }
    if (status != GPU_OK) {
        adapter_source_close(source);
        return status;
    }
    set_order(source);
    return GPU_OK;
}

void adapter_source_close(adapter_source *source) {
    for (size_t i = 0; i < source->count; i++)
        IUnknown_Release(source->objects[i]);
    cumsum_library_close(source->library);
    *source = (adapter_source){0};
}
