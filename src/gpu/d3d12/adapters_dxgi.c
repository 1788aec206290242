/* SPDX-License-Identifier: MIT */
/*
 * The adapters of Windows, through DXGI. The first entry of DXGI's list is the adapter that the
 * desktop is shown on.
 */
#define CINTERFACE
#include "adapter_source.h"

#include <dxgi.h>
#include <stdio.h>

#define FLAG_SOFTWARE 2u /* DXGI_ADAPTER_FLAG_SOFTWARE */

static const IID iid_factory1 = {
    0x770aae78, 0xf26f, 0x4dba, {0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87}};
static const IID iid_dxgi_device = {
    0x54ec77fa, 0x1377, 0x44e6, {0x8c, 0x32, 0x88, 0xfd, 0x5f, 0x44, 0xc8, 0x4c}};

/* The driver's version, which DXGI tells with the answer to this question; 0 if it does not. */
static uint64_t read_version(IDXGIAdapter1 *object) {
    LARGE_INTEGER version;
    if (IDXGIAdapter1_CheckInterfaceSupport(object, &iid_dxgi_device, &version) < 0)
        return 0;
    return (uint64_t)version.QuadPart;
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
    return a;
}

static HRESULT list_adapters(adapter_source *source, create_factory_function create) {
    void *made = NULL;
    HRESULT hr = create(&iid_factory1, &made);
    if (hr < 0)
        return hr;
    IDXGIFactory1 *factory = made;
    IDXGIAdapter1 *adapter;
    while (source->count < MAX_SOURCE_ADAPTERS &&
           IDXGIFactory1_EnumAdapters1(factory, (UINT)source->count, &adapter) >= 0) {
        source->adapters[source->count] = describe(adapter);
        source->versions[source->count] = read_version(adapter);
        source->objects[source->count++] = (IUnknown *)adapter;
    }
    IDXGIFactory1_Release(factory);
    return hr;
}

const adapter_system adapter_system_here = {
    .library = "dxgi.dll", .create_factory = "CreateDXGIFactory1", .list = list_adapters};
