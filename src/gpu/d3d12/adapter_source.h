/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_ADAPTER_SOURCE_H
#define CUMSUM_GPU_ADAPTER_SOURCE_H

/* Where the platform lists its adapters: DXGI on Windows, DXCore in WSL. */

#include "d3d12_abi.h"
#include "gpu_driver.h"

#define adapter_source_open  CUMSUM_ABI(adapter_source_open)
#define adapter_source_close CUMSUM_ABI(adapter_source_close)

#define ADAPTER_SOURCE_MOST 16

typedef struct adapter_source {
    void *library;
    size_t count;
    gpu_adapter adapters[ADAPTER_SOURCE_MOST]; /* those that are no CPU first */
    IUnknown *objects[ADAPTER_SOURCE_MOST];    /* what D3D12CreateDevice takes */
} adapter_source;

/* GPU_UNAVAILABLE where there is no such list, or nothing in it. */
gpu_status adapter_source_open(adapter_source *source, gpu_failure *why);
void adapter_source_close(adapter_source *source);

/* Hardware before software, the order otherwise kept; indices are set. */
static inline void adapter_source_sort(adapter_source *source) {
    const adapter_source from = *source;
    size_t count = 0;
    for (int software = 0; software < 2; software++) {
        for (size_t i = 0; i < from.count; i++) {
            if (from.adapters[i].software == (software != 0)) {
                source->adapters[count] = from.adapters[i];
                source->adapters[count].index = (uint32_t)count;
                source->objects[count++] = from.objects[i];
            }
        }
    }
}

#endif
