/* SPDX-License-Identifier: MIT */
/* The adapters of Windows. */
#define CINTERFACE
#include "adapter_source.h"

#include <dxgi.h>
#include <stdio.h>

#include "dynamic_library.h"

#define DXGI_LIBRARY  "dxgi.dll"
#define FLAG_SOFTWARE 2u /* DXGI_ADAPTER_FLAG_SOFTWARE */

static const IID iid_factory1 = {
    0x770aae78, 0xf26f, 0x4dba, {0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87}};
static const IID iid_dxgi_device = {
    0x54ec77fa, 0x1377, 0x44e6, {0x8c, 0x32, 0x88, 0xfd, 0x5f, 0x44, 0xc8, 0x4c}};

typedef HRESULT(WINAPI *create_factory_function)(REFIID iid, void **factory);

static void describe_driver(IDXGIAdapter1 *object, gpu_adapter *a) {
    LARGE_INTEGER v;
    if (IDXGIAdapter1_CheckInterfaceSupport(object, &iid_dxgi_device, &v) >= 0) {
        snprintf(a->driver, sizeof a->driver, "%u.%u.%u.%u", (unsigned)((uint32_t)v.HighPart >> 16),
                 (unsigned)(v.HighPart & 0xFFFF), (unsigned)(v.LowPart >> 16),
                 (unsigned)(v.LowPart & 0xFFFF));
    }
}

static gpu_adapter describe(IDXGIAdapter1 *object) {
    gpu_adapter a = {.name = "unnamed"};
    DXGI_ADAPTER_DESC1 desc;
    if (IDXGIAdapter1_GetDesc1(object, &desc) >= 0) {
        WideCharToMultiByte(CP_UTF8, 0, desc.Description, -1, a.name, sizeof a.name, NULL, NULL);
        a.name[sizeof a.name - 1] = '\0';
        a.vendor_id = desc.VendorId;
        a.device_id = desc.DeviceId;
        a.dedicated_bytes = desc.DedicatedVideoMemory;
        a.software = (desc.Flags & FLAG_SOFTWARE) != 0;
    }
    describe_driver(object, &a);
    return a;
}

static HRESULT list_all(adapter_source *source, create_factory_function create) {
    void *made = NULL;
    HRESULT hr = create(&iid_factory1, &made);
    if (hr < 0)
        return hr;
    IDXGIFactory1 *factory = made;
    IDXGIAdapter1 *adapter;
    while (source->count < ADAPTER_SOURCE_MOST &&
           IDXGIFactory1_EnumAdapters1(factory, (UINT)source->count, &adapter) >= 0) {
        source->adapters[source->count] = describe(adapter);
        source->objects[source->count++] = (IUnknown *)adapter;
    }
    IDXGIFactory1_Release(factory);
    return hr;
}

gpu_status adapter_source_open(adapter_source *source, gpu_failure *why) {
    create_factory_function create;
    *source = (adapter_source){0};
    gpu_status status = cumsum_library_open(DXGI_LIBRARY, &source->library, why);
    if (status == GPU_OK) {
        status =
            cumsum_library_find(source->library, DXGI_LIBRARY, "CreateDXGIFactory1", &create, why);
    }
    HRESULT hr = status == GPU_OK ? list_all(source, create) : 0;
    if (status == GPU_OK && !source->count) {
        status = GPU_UNAVAILABLE;
        *why = (gpu_failure){.status = GPU_UNAVAILABLE, .hresult = hr};
        snprintf(why->message, sizeof why->message, DXGI_LIBRARY " lists no adapter (0x%08x)",
                 (unsigned)hr);
    }
    if (status != GPU_OK) {
        adapter_source_close(source);
        return status;
    }
    adapter_source_sort(source);
    return GPU_OK;
}

void adapter_source_close(adapter_source *source) {
    for (size_t i = 0; i < source->count; i++)
        IUnknown_Release(source->objects[i]);
    cumsum_library_close(source->library);
    *source = (adapter_source){0};
}
