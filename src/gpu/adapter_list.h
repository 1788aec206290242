/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_ADAPTER_LIST_H
#define CUMSUM_GPU_ADAPTER_LIST_H

/* The adapters of a platform, in the order in which users see them, and the choice of one. */

#include "gpu_driver.h"

/* Adapters of a list, at most. */
#define GPU_MAX_ADAPTERS 16

typedef struct listed_adapter {
    cumsum_d3d12_adapter adapter;
    void *object;        /* what a device is made from: an IUnknown, or a VkPhysicalDevice */
    uint64_t max_buffer; /* bytes of the largest buffer that a shader can access */
} listed_adapter;

typedef struct adapter_list {
    size_t count;
    listed_adapter at[GPU_MAX_ADAPTERS];
} adapter_list;

/* Hardware before software, so that the default adapter is hardware if there is any; otherwise the
 * system's order is kept. */
void cumsum_adapters_order(adapter_list *list);

/* Copies the first `room` of them. *count receives how many there are. */
void cumsum_adapters_copy(const adapter_list *list, cumsum_d3d12_adapter *to, size_t room,
                          size_t *count);

/* Chooses the first adapter whose name contains `pattern`, without regard to case. "#N" is adapter
 * number N, and NULL is the first adapter. If there is no such adapter, returns GPU_UNAVAILABLE
 * with the names of those that exist. */
gpu_status cumsum_adapters_choose(const adapter_list *list, const char *pattern,
                                  const listed_adapter **chosen, gpu_failure *why);

/* Writes a driver's version as Windows does: four numbers of 16 bits, the highest first. 0 is
 * unknown and leaves it empty. */
void cumsum_adapter_version(cumsum_d3d12_adapter *adapter, uint64_t version);

/* How a system with Direct3D 12 of its own lists adapters: adapters_dxgi.c for Windows,
 * adapters_dxcore.c for WSL. */
typedef struct adapter_system {
    const char *library;
    const char *create_factory; /* exported by the library: HRESULT(REFIID, void **) */
    /* Appends adapters to an empty list, in the system's order. Returns an HRESULT. */
    int32_t (*list)(adapter_list *list, void (*create_factory)(void));
} adapter_system;

#endif
