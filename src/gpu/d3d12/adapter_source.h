/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_ADAPTER_SOURCE_H
#define CUMSUM_GPU_ADAPTER_SOURCE_H

/*
 * The adapters of a system with Direct3D 12 of its own. adapter_source.c opens and closes the list;
 * the system's own file, adapters_dxgi.c for Windows or adapters_dxcore.c for WSL, names a library
 * and fills the list.
 */

#include "d3d12_abi.h"
#include "gpu_driver.h"

#define adapter_source_close CUMSUM_ABI(adapter_source_close)
#define adapter_source_open  CUMSUM_ABI(adapter_source_open)
#define adapter_system_here  CUMSUM_ABI(adapter_system)

#define MAX_SOURCE_ADAPTERS 16

/* Adapter i of the list is adapters[i]; its COM object, which D3D12CreateDevice takes, is
 * objects[i]. */
typedef struct adapter_source {
    void *library;
    size_t count;
    gpu_adapter adapters[MAX_SOURCE_ADAPTERS]; /* hardware before software */
    uint64_t
        versions[MAX_SOURCE_ADAPTERS]; /* of the drivers: four numbers of 16 bits; 0: unknown */
    IUnknown *objects[MAX_SOURCE_ADAPTERS];
} adapter_source;

typedef HRESULT(WINAPI *create_factory_function)(REFIID iid, void **factory);

/* How a system lists adapters. */
typedef struct adapter_system {
    const char *library;
    const char *create_factory; /* exported by the library: a create_factory_function */
    /* Appends the adapters to an empty source, in the system's order: everything but index and
     * driver, which adapter_source_open sets. */
    HRESULT (*list)(adapter_source *source, create_factory_function create);
} adapter_system;

extern const adapter_system adapter_system_here;

/* GPU_UNAVAILABLE if the system has no such list or the list is empty. */
gpu_status adapter_source_open(adapter_source *source, gpu_failure *why);
void adapter_source_close(adapter_source *source);

#endif
